/* The arrays of a PDB file as Yorick reads them: a line for each that has numbers, of its name, its kind, its dimensions,
 * and the file in which its elements stand as long
 * integers or doubles; of complex numbers all real parts, then all imaginary ones. A member of a struct is called by both names.
 * Arguments: the file, and the folder for the others. */

func say(name, data)
{
  extern count, folder;
  type = structof(data);
  if (type == char || type == short || type == int || type == long) {
    data = long(data);
    kind = "long";
  } else if (type == float || type == double) {
    data = double(data);
    kind = "double";
  } else if (type == complex) {
    shape = dimsof(data);
    kind = "complex";
    data = [data.re, data.im];
  } else if (type == string || type == pointer) {
    write, format="%s\tother\t\t\n", name;
    return;
  } else {
    lines = print(type);
    for (i=1 ; i<=numberof(lines) ; i++) {
      word = member = dims = string(0);
      if (sread(lines(i), format=" %s %[^;(]", word, member) == 2 && word != "struct")
        say, name + "." + member, get_member(data, member);
    }
    return;
  }
  if (is_void(shape)) shape = dimsof(data);
  text = "";
  for (i=numberof(shape) ; i>=2 ; i--) text += swrite(format="%ld ", shape(i));
  out = swrite(format="%s/%ld.raw", folder, ++count);
  file = open(out, "wb");
  _write, file, 0, data;
  close, file;
  remove, out + "L";
  write, format="%s\t%s\t%s\t%s\n", name, kind, text, out;
}

args = get_argv();
file = openb(args(-1));
folder = args(0);
count = 0;
names = *get_vars(file)(1);
for (i=1 ; i<=numberof(names) ; i++) say, names(i), get_member(file, names(i));
names = *get_vars(file)(2);
times = numberof(names)? get_ncycs(file) : [];
for (k=1 ; k<=numberof(times) ; k++) {
  jr, file, k;
  for (i=1 ; i<=numberof(names) ; i++)
    say, swrite(format="__@history[%ld].%s", k-1, names(i)), get_member(file, names(i));
}
