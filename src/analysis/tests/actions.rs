//! Actions, priorities, and queries that go wrong.

use super::super::fields::QueryFields;
use super::*;

/// The actions that the error for another one names.
fn actions() -> Vec<String> {
    let error = reply(json!({"action": "dance"}))["error"].to_string();
    error.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

#[test]
fn actions_are_echoed() {
    assert_eq!(actions().len(), 5);
    for action in actions().iter().filter(|name| *name != "terminate") {
        let asked = json!({"id": "a", "action": action, "mine": [1]});
        let answers = replies(&settings(), asked.to_string());
        assert_eq!(answers.len(), 1);
        for (name, value) in asked.as_object().expect("an object") {
            assert_eq!(answers[0][name], *value, "{action}");
        }
    }
    let error = |more| reply(more)["error"].as_str().expect("a text").to_owned();
    assert!(error(json!({"action": "bogus"})).starts_with("expected one of `query_version`"));
    assert_eq!(error(json!({"id": 7})), "expected a text");
    let version = replies(&settings(), r#"{"id":"a","action":"query_version"}"#);
    assert_eq!(version[0]["version"], env!("CARGO_PKG_VERSION"));
    let mut with_nets = settings();
    with_nets.search.search_params.use_net = true;
    let models = replies(&with_nets, r#"{"id":"a","action":"query_models"}"#);
    assert!(models[0]["models"].as_array().expect("a list").len() >= 5, "{models:?}");
}

#[test]
fn queries_are_terminated() {
    let endless = |id: &str, turns: Value| {
        query(json!({
            "id": id, "maxVisits": 1_u64 << 50, "analyzeTurns": turns,
            "moves": [["B", "C3"]],
        }))
        .to_string()
    };
    let lines = [
        endless("a", json!([0])),
        endless("b", json!([0, 1])),
        endless("c", json!([0])),
        r#"{"id":"t","action":"terminate","terminateId":"b","turnNumbers":[1]}"#.to_owned(),
        r#"{"id":"t","action":"terminate","terminateId":"nobody"}"#.to_owned(),
        r#"{"id":"all","action":"terminate_all"}"#.to_owned(),
    ];
    let answers = replies(&settings(), lines.join("\n"));
    let of = |id: &str| answers.iter().filter(|reply| reply["id"] == id).collect::<Vec<_>>();
    assert_eq!((of("t").len(), of("all").len()), (2, 1));
    for (id, count) in [("a", 1), ("b", 2), ("c", 1)] {
        let answers = of(id);
        assert_eq!(answers.len(), count, "{answers:?}");
        for answer in answers {
            assert_eq!(answer["isDuringSearch"], false);
            assert!(answer["noResults"] == true || answer["rootInfo"]["visits"].is_u64());
        }
    }
    let place = |wanted: &dyn Fn(&Value) -> bool| answers.iter().position(wanted).expect("a reply");
    let answered = place(&|reply| reply["id"] == "b" && reply["turnNumber"] == 1);
    assert!(answered < place(&|reply| reply["id"] == "t"), "{answers:?}");
}

#[test]
fn searches_are_reported_while_they_run() {
    let line = query(json!({
        "reportDuringSearchEvery": 0.001, "maxVisits": 400, "boardXSize": 9, "boardYSize": 9,
    }));
    let answers = replies(&settings(), line.to_string());
    let (last, interim) = answers.split_last().expect("answers");
    assert!(interim.len() >= 2, "{}", interim.len());
    assert!(interim.iter().all(|reply| reply["isDuringSearch"] == true));
    assert_eq!(last["isDuringSearch"], false);
    let visits = |reply: &Value| reply["rootInfo"]["visits"].as_u64().expect("a number");
    assert!(answers.windows(2).all(|pair| visits(&pair[0]) <= visits(&pair[1])));
}

#[test]
fn higher_priority_comes_first() {
    use super::super::queue::JobQueue;
    let queue = JobQueue::default();
    let push = |id: &str, more: Value| {
        let mut more = more;
        more["id"] = json!(id);
        more["moves"] = json!([["B", "C3"]]);
        let line = query(more).to_string();
        match request::parse(line.as_bytes(), &settings()) {
            Ok(Some(Request::Query(query))) => queue.push((*query).into(), line.len()),
            other => panic!("{other:?}"),
        }
    };
    push("low", json!({"priority": -1}));
    push("usual", json!({}));
    push("turns", json!({"analyzeTurns": [0, 1], "priorities": [5, 7]}));
    push("later", json!({"priority": 5}));
    queue.end_of_input();
    let order = std::iter::from_fn(|| queue.take());
    let order: Vec<_> = order.map(|job| (job.query.fields.id.clone(), job.turn)).collect();
    let expected = [("turns", 1), ("turns", 0), ("later", 1), ("usual", 1), ("low", 1)];
    assert_eq!(order, expected.map(|(id, turn)| (id.to_owned(), turn)));
}

#[test]
fn the_guide_has_every_field_action_and_setting() {
    let guide = crate::guide::guide("analysis").expect("a guide").markdown;
    for name in actions() {
        assert!(guide.contains(&format!("`{name}`")), "{name}");
    }
    // The names of the fields differ in letter case and underscores.
    let fields = format!("{:?}", QueryFields::default());
    let fields = fields.split([' ', '{', ',']).filter_map(|word| word.strip_suffix(':'));
    let fields: Vec<_> = fields.map(|name| name.replace('_', "")).collect();
    assert!(fields.len() > 35, "{fields:?}");
    for name in fields.iter().filter(|name| !["unknown", "others"].contains(&name.as_str())) {
        assert!(guide.to_lowercase().contains(&format!("`{name}`")), "{name}");
    }
    // And no fields of answers but those that there are.
    let answer = reply(json!({
        "includeOwnership": true, "includeOwnershipStdev": true, "includePolicy": true,
        "includeState": true, "includePVVisits": true, "includeMovesOwnership": true,
        "includeMovesOwnershipStdev": true, "maxVisits": 60,
    }));
    let names = |object: &Value| {
        let object: &Map<_, _> = object.as_object().expect("an object");
        object.keys().cloned().collect::<Vec<_>>()
    };
    let all = [names(&answer), names(&answer["rootInfo"]), names(&answer["moveInfos"][0])];
    for name in all.iter().flatten() {
        assert!(guide.contains(&format!("`{name}`")), "{name}");
    }
}
