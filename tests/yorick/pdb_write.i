/* Files of PDB as Yorick writes them: numbers of all types in two byte orders, structs in structs, texts and pointers, and
 * records. */

struct Point { double x; int k(3); char c; float f(2,2); }
struct Both { Point p(2); short s; long l; pointer q; string t; complex z; }

func fill(file)
{
  x = span(-1, 2, 24);
  save, file, d3=reform(x, [3, 2, 3, 4]), f2=reform(float(x), [2, 4, 6]);
  save, file, l1=indgen(7)-3, s1=short(indgen(5)-3), i1=int(indgen(6))*-1000, c1=['a','b','\xff'];
  save, file, one=3.5, whole=17, small=short(-2), letter='q';
  point = Point(x=1.5, k=[1,2,3], c='\7', f=[[1,2],[3,4]]);
  points = array(point, 2, 3);
  points(2,3).x = -4;
  save, file, point, points;
}

file = createb("native.pdb");
fill, file;
points = array(Point(x=2), 2);
save, file, both=Both(p=points, s=-7, l=-5, q=&[1,2], t="hello", z=1-2i), z=[1+2i, 3-4i];
save, file, text="a text", texts=["one", "two three"], pointed=&indgen(4);
close, file;

file = createb("big.pdb", sun_primitives);
fill, file;
close, file;

file = createb("little.pdb", pc_primitives);
fill, file;
close, file;

file = createb("records.pdb");
save, file, fixed=[1.0,2.0,3.0];
for (i=1 ; i<=4 ; i++) {
  time = i*0.5;
  ncyc = i;
  v = [1.0,2.0,3.0]*i;
  w = short(i);
  add_record, file, time, ncyc;
  save, file, time, ncyc, v, w;
}
close, file;
