use kawari::board::*;
use kawari::rules::*;
use kawari::search::*;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let mut setup = Setup::new(variant(&a[1]).unwrap());
    let n: u8 = a[2].parse().unwrap();
    setup.size = Size {
        width: n,
        height: n,
    };
    setup.rules.komi = 7.0;
    let mut g = AnyGame::new(&setup).unwrap();
    let playouts = a[3].parse().unwrap();
    for m in &a[4..] {
        let c = g.to_move();
        let w: Vec<&str> = m.split(' ').collect();
        let act = g.parse(&w).unwrap();
        g.act(c, &act).unwrap();
    }
    let mut k = Knobs::default();
    if let Ok(t) = std::env::var("KNOBS") {
        for p in t.split(',') {
            if let Some((n, v)) = p.split_once('=') {
                k.set(n, v.parse().unwrap()).unwrap();
            }
        }
    }
    let mut p = Player::new(k, 256, 1);
    let mut t = Task::new(g.to_move());
    t.playouts = Some(playouts);
    let s = std::time::Instant::now();
    p.ponder(&g, &t, &mut |_| false, &mut |v| {
        let r = v.report();
        println!(
            "{:?} visits {} win {:.3} margin {:.1} sd {:.1}  {:.2}s",
            g.to_move(),
            r.visits,
            r.win_rate,
            r.margin,
            r.deviation,
            s.elapsed().as_secs_f32()
        );
        for s in r.steps.iter().take(12) {
            print!(
                "{:>6} {:.3} m {:5.1} p {:.3} : ",
                s.visits, s.win_rate, s.margin, s.prior
            );
            let grid = g.grid();
            for (st, n) in s.line.iter().zip(&s.line_visits).take(12) {
                print!(
                    "{}({}) ",
                    st.point().map_or("pass".into(), |p| vertex(grid, p)),
                    n
                );
            }
            println!();
        }
    });
}
