//! Examples at the end of a command's help; the manual has them all.

pub const RUN: &str = "\
Examples:
  slidebench run korf100
  slidebench run smoke -a idastar,astar -H md,lc --repeat 3 -o smoke.csv
  slidebench run korf24 --filter 38,40 --time-limit 10m -o night.csv --iterations thresholds.csv";

pub const SOLVE: &str = "\
Examples:
  slidebench solve 867254301
  slidebench solve '1 2 3 / 4 . 6 / 7 5 8' -a astar -H lc --format json
  slidebench solve 14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3 --goal first --html board.html";

pub const BOARD: &str = "\
Examples:
  slidebench board 867254301
  slidebench board BECDAFOGI.JHMNLK --as rows
  slidebench board '2 8 3 / 1 6 4 / 7 . 5' --goal spiral --as svg -o board.svg";

pub const PDB_BUILD: &str = "\
Examples:
  slidebench pdb build 7-8
  slidebench pdb build 5x5:6-6-6-6 --pdb-dir tables
  slidebench pdb build endgame:4x4:22";

pub const PDB_ETA: &str = "\
Examples:
  slidebench pdb eta 6-6-6-6
  slidebench pdb eta 5x5:md --samples 1000000
  slidebench pdb eta 4x4:7-8,nomirror --format json";

pub const REPORT: &str = "\
Examples:
  slidebench report smoke.csv
  slidebench report night.csv thresholds.csv -o night.html
  slidebench space 3x3 --format csv >3x3.csv && slidebench report 3x3.csv -o space.html
  slidebench report smoke.csv --scatter 'idastar with md' 'idastar with lc' -o pair.html";

pub const SPACE: &str = "\
Examples:
  slidebench space 3x3
  slidebench space 3x4 --metric multi --format csv >3x4.csv
  slidebench space 2x7 -o hardest.csv --dir spaces --max-memory 12GiB
  slidebench space 3x5 --plan";

pub const COMPARE: &str = "\
Examples:
  slidebench compare before.csv after.csv
  slidebench compare before.csv after.csv --fail-if-slower 5%
  slidebench compare smoke.csv --between 'idastar md' 'idastar lc' --by nodes
  slidebench compare smoke.csv --baseline 'idastar md' -o verdict.txt";

pub const COURSE_CHECK: &str = "\
Examples:
  slidebench course check driver -- python3 driver.py
  slidebench course check lines --boards class.txt --time-limit 10s -- ./solver
  slidebench course check puz -n -- java -cp . Puz -n {file}
  slidebench course check succ --format csv --name ada -- python3 ada/succ.py";
