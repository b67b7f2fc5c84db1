package io.torussm.partition;

import io.torussm.state.StateDirectory;
import io.torussm.state.StateSuccessor;
import io.torussm.transport.Loop;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The run-time additions to partitions, in the file {@code partition-members} of the state directory, and
 * replicated. A change is effective once it is on the disk.
 *
 * <p>Owner thread: the loop of the SM; any thread may read.
 */
public final class RunTimePartitionStore implements StateSuccessor<RunTimePartitions> {
    private final StateDirectory directory;
    private final Loop sm;
    private volatile RunTimePartitions current;
    private Runnable whenAdopted = () -> {};

    /** P_Keys that were changed since the start. */
    private final Set<Integer> changed = new HashSet<>();

    /** Reads the file. A damaged one is reported and set aside. */
    public RunTimePartitionStore(StateDirectory directory, Loop sm) {
        this.directory = directory;
        this.sm = sm;
        current = directory
                .read(RunTimePartitionFile.FILE, new RunTimePartitionFile.PartitionLines())
                .orElse(RunTimePartitions.NONE);
        directory.register(RunTimePartitionFile.FILE, RunTimePartitionFile.PartitionLines::new, this);
    }

    /** Returns the effective additions. */
    public RunTimePartitions current() {
        return current;
    }

    /**
     * Sets the listener that programs additions of another SM, if this SM is already master when it receives
     * them.
     */
    public void whenAdopted(Runnable listener) {
        whenAdopted = listener;
    }

    /**
     * Writes a change, which is effective once it is on the disk. If the write fails, the previous version is
     * written again: a peer may have received the other.
     *
     * @param pKey the changed partition
     * @param then whether it is effective; on the loop
     */
    public void keep(RunTimePartitions next, int pKey, Consumer<Boolean> then) {
        RunTimePartitions previous = current;
        directory.write(
                RunTimePartitionFile.FILE,
                () -> RunTimePartitionFile.lines(next),
                isWritten -> sm.execute(() -> {
                    if (isWritten) {
                        changed.add(pKey);
                        current = next;
                    } else {
                        directory.write(RunTimePartitionFile.FILE, () -> RunTimePartitionFile.lines(previous));
                    }
                    then.accept(isWritten);
                }));
    }

    @Override
    public void replace(RunTimePartitions adopted) {
        changed.clear();
        current = adopted;
    }

    /**
     * Adds the newer additions of the other SM, except for partitions that were changed here since the start.
     */
    @Override
    public void complete(RunTimePartitions adopted) {
        RunTimePartitions next = adopted;
        for (int pKey : changed) {
            RunTimePartition own = current.find(pKey);
            next = own == null ? next.without(pKey) : next.with(own);
        }
        if (!next.equals(current)) {
            RunTimePartitions partitions = next;
            current = partitions;
            directory.write(RunTimePartitionFile.FILE, () -> RunTimePartitionFile.lines(partitions));
            whenAdopted.run();
        }
    }
}
