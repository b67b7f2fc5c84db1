package io.torussm.daemon.control;

import io.torussm.partition.PartitionChange;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The changes that partitions.conf would make if it became effective now.
 *
 * @param file name of the file
 * @param problems reasons why the file cannot be used; empty if it is valid
 * @param change changes of P_Keys; null if the file cannot be used
 */
public record PartitionPreview(
        String file, List<String> problems, @Nullable PartitionChange change) {
    public PartitionPreview {
        problems = List.copyOf(problems);
    }
}
