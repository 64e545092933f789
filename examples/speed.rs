use kawari::{board::Random, rules::*, search::playout};
fn run<V: Variant>(setup: &Setup, n: u64) {
    let start = setup.start::<V>().unwrap();
    let mut pos = start.clone();
    let mut rnd = Random::new(1);
    let t = std::time::Instant::now();
    let mut steps = 0u64; let mut b=0u64;
    for _ in 0..n { pos.copy_from(&start); steps += u64::from(playout(&mut pos, &mut rnd)); if pos.margin()>0.0 {b+=1;} }
    let s = t.elapsed().as_secs_f64();
    println!("{:8} {}x{} {:9.0}/s {:6.1} steps {:6.1} ns/step B {:.3}", V::INFO.id, setup.size.width, setup.size.height, n as f64/s, steps as f64/n as f64, s*1e9/steps as f64, b as f64/n as f64);
}
fn main() {
    let only = std::env::args().nth(1);
    for (w, n) in [(9u8, 200000u64), (19, 40000)] {
        macro_rules! r { ($v:ty, $d:expr) => { if only.as_deref().is_none_or(|o| o==<$v as Variant>::INFO.id) { let mut s = Setup::new(<$v as Variant>::INFO); s.size = if <$v as Variant>::INFO.stacked { Size::square(if w==9 {6} else {12}) } else {Size::square(w)}; run::<$v>(&s, n/$d); } } }
        r!(go::Go,1); r!(no::No,4); r!(go_san::GoSan,4); r!(tao::Tao,2); r!(sygo::Sygo,2); r!(stoical::Stoical,2); r!(layers::Layers,2);
    }
}
