package io.torussm.partition;

import io.torussm.state.StateDirectory;
import io.torussm.state.StateSuccessor;
import io.torussm.transport.Loop;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;

/**
 * What was added to partitions at run time, in the file {@code partition-members} of the state directory, and replicated. It
 * counts once it is on the disk.
 *
 * <p>Owner thread: the loop of the SM; any thread may read.
 */
public final class RunTimePartitionStore implements StateSuccessor<RunTimePartitions> {
    private final StateDirectory directory;
    private final Loop sm;
    private volatile RunTimePartitions current;
    private Runnable whenAdopted = () -> {};

    /** P_Keys that were changed in this life. */
    private final Set<Integer> changed = new HashSet<>();

    /** Reads the file; one that is damaged is an event, and is set aside. */
    public RunTimePartitionStore(StateDirectory directory, Loop sm) {
        this.directory = directory;
        this.sm = sm;
        current = directory
                .read(RunTimePartitionFile.FILE, new RunTimePartitionFile.Lines())
                .orElse(RunTimePartitions.NONE);
        directory.follow(RunTimePartitionFile.FILE, RunTimePartitionFile.Lines::new, this);
    }

    /** What counts now. */
    public RunTimePartitions current() {
        return current;
    }

    /** Who programs what another SM had added, if this one rules already when it hears of it. */
    public void whenAdopted(Runnable listener) {
        whenAdopted = listener;
    }

    /**
     * Writes something else; it counts once it is on the disk. If it cannot be written, what counted is written again: a peer may
     * have the other already.
     *
     * @param pKey the partition in which it differs
     * @param then whether it counts; on the loop
     */
    public void keep(RunTimePartitions next, int pKey, Consumer<Boolean> then) {
        RunTimePartitions before = current;
        directory.write(
                RunTimePartitionFile.FILE,
                () -> RunTimePartitionFile.lines(next),
                isWritten -> sm.execute(() -> {
                    if (isWritten) {
                        changed.add(pKey);
                        current = next;
                    } else {
                        directory.write(RunTimePartitionFile.FILE, () -> RunTimePartitionFile.lines(before));
                    }
                    then.accept(isWritten);
                }));
    }

    @Override
    public void replace(RunTimePartitions adopted) {
        changed.clear();
        current = adopted;
    }

    /** The other SM's is newer, but for the partitions that were changed here since the start. */
    @Override
    public void complete(RunTimePartitions adopted) {
        RunTimePartitions next = adopted;
        for (int pKey : changed) {
            RunTimePartition own = current.find(pKey);
            next = own == null ? next.without(pKey) : next.with(own);
        }
        if (!next.equals(current)) {
            RunTimePartitions kept = next;
            current = kept;
            directory.write(RunTimePartitionFile.FILE, () -> RunTimePartitionFile.lines(kept));
            whenAdopted.run();
        }
    }
}
