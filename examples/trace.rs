use kawari::board::*; use kawari::rules::*; use kawari::search::*;
fn main(){
  let a:Vec<String>=std::env::args().collect();
  let mut setup=Setup::new(variant("go").unwrap()); setup.size=Size{width:9,height:9}; setup.rules.komi=7.0;
  let mut g=AnyGame::new(&setup).unwrap();
  let playouts=a[1].parse().unwrap();
  let mut k=Knobs::default();
  if let Ok(t)=std::env::var("KNOBS"){ for p in t.split(','){ if let Some((n,v))=p.split_once('='){k.set(n,v.parse().unwrap()).unwrap();}}}
  let mut p=Player::new(k,256,1);
  if let Ok(f)=std::env::var("WEIGHTS"){ p.teach(policy::Weights::parse(&std::fs::read_to_string(f).unwrap()).unwrap()); }
  for (i,m) in a[2].split(' ').enumerate(){ 
  let mut t=Task::new(g.to_move()); t.playouts=Some(playouts);
  p.forget();
  p.ponder(&g,&t,&mut |_|false,&mut |v|{ let r=v.report(); let b= if g.to_move()==Color::Black {r.win_rate} else {1.0-r.win_rate};
    let s=&r.steps[0]; let grid=g.grid(); println!("{:>3} {:?} played {} B win {:.3} m {:.1} sd {:.1} best {} {:.2}", i+1, g.to_move(), m, b, r.margin, r.deviation, s.step.point().map_or("pass".into(),|p|vertex(grid,p)), s.visits as f32/r.visits as f32); });
  let c=g.to_move(); let act=g.parse(&[m]).unwrap(); if g.act(c,&act).is_err(){break;} }
}
