# shellcheck shell=bash disable=SC2034
# What the scripts here share: the plan that jobs read, and how jobs are submitted.
#
# A plan is a folder, NAME.slurm beside NAME.csv. `plan` in it has what was asked for, `jobs` a line
# for each job that was submitted, and every job has a log.

say() { echo "$@" >&2; }
die() { say "${0##*/}: $*"; exit "${status:-1}"; }
wrong() { status=2 die "$* (see --help)"; }
help() { sed -n '3,/^set /{/^set /d;s/^# \{0,1\}//p}' "$0"; exit 0; }
number() { [[ $2 =~ ^[1-9][0-9]*$ ]] || wrong "$1 takes a number, not '$2'"; }

# The flags that `submit` and `solve-hard` both know; all others stay in `rest`.
read_flags() {
    shards='' output='' tries=3 stage='' pdb_dir=${SLIDEBENCH_PDB_DIR:-pdb} wait='' resume=''
    slidebench=${SLIDEBENCH:-} sbatch_options=() rest=()
    scripts=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
    while [ $# -gt 0 ]; do
        case $1 in
        --shards | --tries | -o | --output | --pdb-dir | --sbatch | --slidebench)
            [ $# -ge 2 ] || wrong "$1 needs a value" ;;
        esac
        case $1 in
        -h | --help) help ;;
        --shards) number "$1" "$2"; shards=$2; shift ;;
        --tries) number "$1" "$2"; tries=$2; shift ;;
        -o | --output) output=$2; shift ;;
        --pdb-dir) pdb_dir=$2; shift ;;
        --sbatch) sbatch_options+=("$2"); shift ;;
        --slidebench) slidebench=$2; shift ;;
        --stage-tables) stage=/tmp/slidebench-tables-$(id -u) ;;
        --stage-tables=*) stage=${1#*=} ;;
        --wait) wait=yes ;;
        --resume) resume=yes ;;
        --shard | --format | --list) wrong "$1 is not for a cluster" ;;
        *) rest+=("$1") ;;
        esac
        shift
    done
    [ -n "$shards$resume" ] || wrong "--shards N is missing"
    [[ $output == *.csv ]] || wrong "-o NAME.csv is missing"
    command -v sbatch >/dev/null || die "there is no sbatch here; call this where Slurm is"
    folder=${output%.csv}.slurm
    plan=$folder/plan
}

# begin NAME…: writes these variables and those of read_flags as the plan, or finds it there.
begin() {
    if [ -n "$resume" ]; then
        [ -e "$plan" ] || die "$plan is not there; start without --resume"
        return
    fi
    [ ! -e "$plan" ] || die "$folder is there; go on with --resume, or write to another file (-o)"
    [ ! -e "$output" ] || die "$output is there; write to another file (-o)"
    [ -n "$slidebench" ] || slidebench=$(command -v slidebench) ||
        slidebench=$scripts/../../target/release/slidebench
    [ -x "$slidebench" ] || die "$slidebench is not there; build it, or name it with --slidebench"
    slidebench=$(realpath "$slidebench")
    mkdir -p "$folder"
    declare -p scripts slidebench folder plan output shards tries stage pdb_dir sbatch_options \
        "$@" >"$plan.part"
    mv "$plan.part" "$plan"
}

# submit KIND SBATCH-OPTIONS… -- ARGUMENTS…: a job of this plan; leaves its number in `job`.
submit() {
    local kind=$1 options=() log='%j'
    shift
    while [ "$1" != -- ]; do options+=("$1"); shift; done
    shift
    [ "$kind" != task ] || log='%A_%a'
    job=$(sbatch --parsable --requeue --open-mode=append --job-name="slidebench-$kind" \
        --output="$folder/$kind-$log.log" "${sbatch_options[@]}" "${options[@]}" \
        "$scripts/job" "$kind" "$plan" "$@")
    job=${job%%;*}
    echo "$(date -u +%FT%TZ) $kind $job ${options[*]}" >>"$folder/jobs"
    echo "$kind: job $job ${options[*]}"
}

# The files of a piece's shards that have begun: rows and a sidecar.
begun() {
    local piece=$1 index file
    for ((index = 1; index <= shards; index++)); do
        file=${piece%.csv}.shard-$index-of-$shards.csv
        [ ! -s "$file" ] || [ ! -e "${file%.csv}.meta.json" ] || echo "$file"
    done
}

# submit_piece PIECE ARRAY TRY SUITE…: an array for some shards, and the job that gathers them;
# not again if the job that asks was requeued and has done so before.
submit_piece() {
    local piece=$1 array=$2 try=$3 mark
    shift 3
    mark=$folder/$(basename "$piece" .csv).try-$try
    if [ -s "$mark" ] && [ -n "$(squeue --noheader --jobs="$(cat "$mark")" 2>/dev/null)" ]; then
        say "job $(cat "$mark") is on its way"
        return
    fi
    submit task --array="$array" -- "$piece" "$@"
    submit gather --dependency="afterany:$job" -- "$piece" "$try" "$@"
    echo "$job" >"$mark"
}

# Waits until a file says how it ended, and tells every job meanwhile.
await() {
    local told=0 count
    while [ ! -e "$output" ] && [ ! -e "$folder/failed" ]; do
        count=$(wc -l <"$folder/jobs")
        [ "$count" -le "$told" ] || tail -n +$((told + 1)) "$folder/jobs" >&2
        told=$count
        sleep 1
    done
    [ ! -e "$folder/failed" ] || die "$(cat "$folder/failed")"
}
