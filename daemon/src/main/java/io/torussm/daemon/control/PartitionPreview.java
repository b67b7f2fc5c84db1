package io.torussm.daemon.control;

import io.torussm.partition.PartitionChange;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What partitions.conf would change if it were put in force as it is now.
 *
 * @param file its name
 * @param problems why it cannot be used; empty if it can
 * @param change null if it cannot be used
 */
public record PartitionPreview(
        String file, List<String> problems, @Nullable PartitionChange change) {
    public PartitionPreview {
        problems = List.copyOf(problems);
    }
}
