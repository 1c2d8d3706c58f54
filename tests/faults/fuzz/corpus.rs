//! Valid texts of every kind, which inputs are made from.

use slidebench::harness::record::{
    InstanceNames, PlanRecord, Row, RowFormat, SearchRecord, Session, Shard, ShardRecord, Sidecar,
    Status, SuiteRecord, ThresholdRow,
};
use slidebench::lookup::endgame::{Builder, Until};
use slidebench::lookup::{
    BuildControl, Description, Header, Kind, Pattern, PatternTable, VALUES, build,
};

/// Texts as bytes.
pub fn texts(texts: &[&str]) -> Vec<Vec<u8>> {
    texts.iter().map(|text| text.as_bytes().to_vec()).collect()
}

/// Boards in every notation.
pub fn boards() -> Vec<Vec<u8>> {
    let notations = include_str!("../../data/notations.txt");
    let boards = notations.lines().filter_map(|line| line.split_once(" | "));
    let boards = boards.map(|(board, _)| board.replace("\\n", "\n").into_bytes());
    let files = [
        &include_bytes!("../../data/course/31moves.puz")[..],
        include_bytes!("../../data/course/2moves2x3.puz"),
    ];
    boards.chain(files.map(<[u8]>::to_vec)).collect()
}

/// Suites: with a header, bare boards, units.
pub fn suites() -> Vec<Vec<u8>> {
    let head = |text: &str| {
        text.lines()
            .take(12)
            .collect::<Vec<_>>()
            .join("\n")
            .into_bytes()
    };
    vec![
        head(include_str!("../../../benchmarks/korf100.csv")),
        head(include_str!("../../../benchmarks/smoke.csv")),
        head(include_str!("../../../benchmarks/ladder5x5.csv")),
        b"1 2 3 / 4 5 0\n# a comment\nABCDEFGH.\n[2,5,8,4,3,6,7,1,0]\n".to_vec(),
        b"# size: 3x3\n# goal: first\n# heuristic: md\n# prune: fsm:4\n\
          instance,board,optimal,moves,g,h,budget,expanded_before,generated_before,expanded_after,generated_after\n\
          1,1 4 2 3 5 8 0 6 7,,UR,2,6,8,1,2,0,0\n2,1 4 2 3 5 8 0 6 7,,RU,2,6,8,0,1,3,4\n"
            .to_vec(),
    ]
}

/// Rows of both schemas, of other programs, and of the other format.
pub fn runs() -> Vec<Vec<u8>> {
    let own = Row {
        suite: "s".to_owned(),
        instance: "=1, \"one\"".to_owned(),
        rows: Some(2),
        cols: Some(3),
        board: "1 4 0 3 5 2".to_owned(),
        goal: "first".to_owned(),
        solver: "slidebench".to_owned(),
        algorithm: "idastar".to_owned(),
        heuristic: "md".to_owned(),
        threads: Some(1),
        repeat: 1,
        status: Status::Solved,
        cost: Some(4u32.into()),
        bound: Some(1.25),
        verified: Some(true),
        h0: Some(4u32.into()),
        generated: Some(1000),
        iterations: Some(3),
        nodes_per_s: Some(2.5e8),
        solution: Some("DLUL".to_owned()),
        ..Row::default()
    };
    let text = |format: RowFormat| format!("{}{}", format.header::<Row>(), format.line(&own));
    let schema_1 = "suite,instance,rows,cols,goal,algorithm,heuristic,endgame,threads,jobs,repeat,status,cost,\
        known_optimal,verified,h0,expanded,generated,stored,iterations,time_ns,nodes_per_s,peak_mem_bytes,\
        table_bytes,solution,time_limit_ns,mem_limit_bytes,node_limit,version,cpu,started_at\n\
        korf100,12,4,4,first,idastar,md,,1,1,1,solved,45,45,true,35,268163,546344,0,6,2178531,250785309.1,0,0,\
        UDLR,,,,0.1.0 scalar,cpu,2026-11-16T00:00:00.000Z\n";
    let smoke = include_str!("../../data/runs/smoke-md.csv");
    let smoke: Vec<&str> = smoke.lines().take(3).collect();
    vec![
        text(RowFormat::Csv).into_bytes(),
        text(RowFormat::Jsonl).into_bytes(),
        schema_1.as_bytes().to_vec(),
        b"# of another program\nsuite,instance,status,cost,time_ns\ns,1,solved,4,100\ns,1,time-limit,,100\n".to_vec(),
        smoke.join("\n").into_bytes(),
    ]
}

/// Thresholds of runs.
pub fn thresholds() -> Vec<Vec<u8>> {
    let row = ThresholdRow {
        suite: "@s".to_owned(),
        instance: "1".to_owned(),
        board: "1 4 0 3 5 2".to_owned(),
        algorithm: "idastar".to_owned(),
        threads: Some(1),
        repeat: 1,
        threshold: 41,
        complete: true,
        generated: 1000,
        cpu_time_ns: Some(5),
        ..ThresholdRow::default()
    };
    let text =
        |format: RowFormat| format!("{}{}", format.header::<ThresholdRow>(), format.line(&row));
    [RowFormat::Csv, RowFormat::Jsonl]
        .map(|format| text(format).into_bytes())
        .to_vec()
}

/// Sidecars, that of a shard with its plan too.
pub fn sidecars() -> Vec<Vec<u8>> {
    let names = |names: &[&str]| InstanceNames(names.iter().map(|name| name.to_string()).collect());
    let plan = PlanRecord {
        fingerprint: "xxh3:0123456789abcdef".to_owned(),
        suites: vec![SuiteRecord {
            name: "s".to_owned(),
            instances: names(&["1", "2", "3", "007", "a"]),
            threshold: Some(40),
        }],
        searches: vec![SearchRecord {
            asked: "idastar with md".to_owned(),
            algorithm: "idastar".to_owned(),
            heuristic: "md".to_owned(),
            rows: Vec::new(),
        }],
        repeat: 2,
        seed: Some(7),
    };
    let session = Session {
        command: vec!["slidebench".to_owned(), "run".to_owned()],
        shard: Some(ShardRecord {
            shard: Shard::new(1, 2).unwrap(),
            runs: 5,
            asked_mem_limit_bytes: Some(1 << 30),
            plan,
        }),
        ..Session::default()
    };
    let sidecar = Sidecar {
        sessions: vec![Session::default(), session],
    };
    vec![
        serde_json::to_vec(&sidecar).unwrap(),
        serde_json::to_vec_pretty(&sidecar).unwrap(),
    ]
}

/// Files of small tables of each kind.
pub fn tables() -> Vec<Vec<u8>> {
    let control = BuildControl::default();
    let size = "3x3".parse().unwrap();
    let file = |table: &Description, payload: &[u8]| {
        [&Header::new(table, payload).to_bytes()[..], payload].concat()
    };
    let builder = Builder {
        size,
        until: Until::Depth(6),
        memory: None,
        control,
    };
    let endgame = builder.build().unwrap();
    let pattern = Pattern::new(size, 0b1110).unwrap();
    let values = build(&pattern, &control).unwrap();
    let walking = Description {
        kind: Kind::Walking,
        size,
        encoding: 1,
        entries: 105,
        histogram: [1; VALUES],
        command: "slidebench pdb build wd:3x3".to_owned(),
    };
    vec![
        file(
            &endgame.description("slidebench pdb build endgame:3x3:6"),
            endgame.payload(),
        ),
        file(
            &PatternTable::description(&pattern, &values, "slidebench pdb build 3x3:4-4"),
            &values.bits,
        ),
        file(&walking, &[0x55; 14]),
    ]
}
