use kawari::board::*; use kawari::rules::*; use kawari::search::*; use kawari::search::policy::*;
// judge FILE N weights...: mse of playout means against results
fn main(){
  let a:Vec<String>=std::env::args().collect();
  let n:u32=a[2].parse().unwrap();
  let text=std::fs::read_to_string(&a[1]).unwrap();
  let mut setup=Setup::new(variant("go").unwrap()); setup.size=Size{width:9,height:9}; setup.rules.komi=7.0;
  let mut data:Vec<(Position<go::Go>,f32,usize)>=vec![];
  for line in text.lines(){ let v:serde_json::Value=serde_json::from_str(line).unwrap(); let r=v["result"].as_str().unwrap_or("0").to_string(); let res= if r.starts_with('B'){1.0}else if r.starts_with('W'){0.0}else{continue};
    let mut g=AnyGame::new(&setup).unwrap();
    for (i,m) in v["moves"].as_array().unwrap().iter().enumerate(){ let m=m.as_str().unwrap(); if m=="pass"||m=="resign"{break;}
      if i>=4 && i%3==0 { let AnyGame::Go(gg)=&g else{panic!()}; data.push((gg.position().clone(),res,i)); }
      let c=g.to_move(); let act=g.parse(&[m]).unwrap(); if g.act(c,&act).is_err(){break;} } }
  for f in &a[3..]{
    let light = f=="light";
    let w=Weights::parse(&if light{String::new()}else{std::fs::read_to_string(f).unwrap()}).unwrap(); let factors=Factors::new(&w);
    let t=std::time::Instant::now();
    let mut pl=PlayoutPlayer::default(); let mut random=Random::new(7); let mut steps=vec![]; let mut pos=data[0].0.clone();
    let mut pairs=vec![]; let mut sd=0.0f64; let mut len=0usize;
    for (p,res,i) in &data{ let mut s=0.0; let (mut m1,mut m2)=(0.0f64,0.0f64); for _ in 0..n{ pos.copy_from(p); steps.clear(); let o= if light{ len+=playout(&mut pos,&mut random).steps as usize; Outcome::counted(pos.margin())} else {pl.play(&mut pos,&factors,&mut random,&mut steps)}; len+=steps.len(); s+=o.win; m1+=o.margin as f64; m2+=(o.margin*o.margin) as f64;}
      let k=n as f64; sd+=(m2/k-(m1/k)*(m1/k)).max(0.0).sqrt(); pairs.push((s/n as f32,*res,*i)); }
    // best-scaled: fit p=sigmoid(a*logit(x)) over a for logloss
    let mut best=(9.0,0.0); for q in 1..60{ let aa=q as f64*0.1; let mut ll=0.0; for (x,r,_) in &pairs{ let x=(*x as f64).clamp(0.01,0.99); let z=aa*(x/(1.0-x)).ln(); let p=1.0/(1.0+(-z).exp()); ll-= (*r as f64)*p.ln()+(1.0-*r as f64)*(1.0-p).ln(); } ll/=pairs.len() as f64; if ll<best.0{best=(ll,aa);} }
    let mse:f64=pairs.iter().map(|(x,r,_)|((x-r) as f64).powi(2)).sum::<f64>()/pairs.len() as f64;
    let el=t.elapsed().as_secs_f64();
    println!("{f:30} n {} mse {:.4} logloss {:.4} (a {:.1}) sd {:.1} len {:.0} {:.0} playouts/s {:.0} ns/step",pairs.len(),mse,best.0,best.1,sd/pairs.len() as f64, len as f64/(pairs.len() as f64*n as f64), pairs.len() as f64*n as f64/el, el*1e9/len as f64);
  }
}
