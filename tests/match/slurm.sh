#!/bin/sh
# A match in four shards and games for training in three, played as job arrays by a
# real Slurm: its controller and one node on the loopback interface, with munge,
# all in a directory of their own. Needs to be root (slurmd does).
#
#     slurm.sh KAWARI
set -eu
for program in munged slurmctld slurmd sbatch squeue; do
    command -v $program >/dev/null || { echo "$program is not installed: skipped"; exit 0; }
done
[ "$(id -u)" = 0 ] || { echo "slurmd needs root: skipped"; exit 0; }
here=$(dirname "$(realpath "$0")")
kawari=$(realpath "$1")
room=$(mktemp -d)
chmod 755 "$room"
pids=
end() {
    for pid in $pids; do kill "$pid" 2>/dev/null || true; done
    wait 2>/dev/null || true
    rm -rf "$room"
}
trap end EXIT
mkdir "$room/munge" "$room/state" "$room/spool" "$room/work"
chmod 700 "$room/munge"
dd if=/dev/urandom of="$room/munge/key" bs=1024 count=1 2>/dev/null
chmod 600 "$room/munge/key"
munged --foreground --force --key-file="$room/munge/key" --socket="$room/munge.socket" \
    --pid-file="$room/munge/pid" --log-file="$room/munge/log" --seed-file="$room/munge/seed" \
    >"$room/munged.log" 2>&1 &
pids="$pids $!"

host=$(hostname -s)
export SLURM_CONF="$room/slurm.conf"
cat >"$SLURM_CONF" <<CONF
ClusterName=loopback
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$room/munge.socket
StateSaveLocation=$room/state
SlurmdSpoolDir=$room/spool
SlurmctldPidFile=$room/slurmctld.pid
SlurmdPidFile=$room/slurmd.pid
SlurmctldPort=27817
SlurmdPort=27818
ProctrackType=proctrack/pgid
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SwitchType=switch/none
MpiDefault=none
SchedulerType=sched/backfill
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
NodeName=$host NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP
CONF
slurmctld -D -f "$SLURM_CONF" >"$room/slurmctld.log" 2>&1 &
pids="$pids $!"
slurmd -D -f "$SLURM_CONF" -N "$host" >"$room/slurmd.log" 2>&1 &
pids="$pids $!"
ready=
for _ in $(seq 60); do
    sleep 1
    if sinfo -h -o %T 2>/dev/null | grep -q idle; then ready=yes; break; fi
done
[ -n "$ready" ] || { echo "Slurm does not come up:"; tail -5 "$room"/*.log; exit 1; }

cd "$room/work"
cat >match.sbatch <<JOB
#!/bin/sh
#SBATCH --array=1-4
#SBATCH --output=part-%a.txt
"$kawari" match --engine "a=$kawari --playouts 1" --engine "b=$kawari --playouts 8" \
    --variant sygo --size 7 --games 40 --seed 1 --opening-turns 2 \
    --shard \$SLURM_ARRAY_TASK_ID/\$SLURM_ARRAY_TASK_COUNT \
    --out part-\$SLURM_ARRAY_TASK_ID.jsonl
JOB
sbatch --wait match.sbatch
"$kawari" match merge part-*.jsonl --out all.jsonl >table.txt
cat table.txt
"$here/statistics.py" all.jsonl table.txt

# Games for training in three shards, and a net from all of them.
mkdir games
cat >selfplay.sbatch <<JOB
#!/bin/sh
#SBATCH --array=1-3
#SBATCH --output=selfplay-%a.txt
"$kawari" train selfplay --size 5 --playouts 30 --seed 1 --games 20 \
    --shard \$SLURM_ARRAY_TASK_ID/\$SLURM_ARRAY_TASK_COUNT \
    --out games/\$SLURM_ARRAY_TASK_ID.games
JOB
sbatch --wait selfplay.sbatch
if cmp -s games/1.games games/2.games; then echo "the shards have the same games"; exit 1; fi
"$kawari" train fit games --net-size 1x32 --samples 5000 --out all.net | tee fit.txt
grep -q "57 games to learn from, 3 held out" fit.txt
