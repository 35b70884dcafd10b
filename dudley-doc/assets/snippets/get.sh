$make$dudc get $order$$file$ $layout_option$$path_shell$
