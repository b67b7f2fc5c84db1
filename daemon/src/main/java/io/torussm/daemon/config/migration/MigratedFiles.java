package io.torussm.daemon.config.migration;

import io.torussm.daemon.config.Configuration;
import io.torussm.daemon.config.files.ReloadedFiles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The files that options of OpenSM name, and their names in the directory of the new configuration. */
final class MigratedFiles {
    /**
     * Options whose files have a default name in OpenSM, with the names of the files in this program. Except that of
     * the torus, these are the names under which this program reads them if no setting names another one.
     */
    private static final Map<String, String> OWN_NAMES = Map.of(
            "torus_config", "torus-2QoS.conf",
            "partition_config_file", name(ReloadedFiles.PARTITIONS),
            "qos_policy_file", name(ReloadedFiles.QOS_POLICY),
            "prefix_routes_file", name(ReloadedFiles.PREFIX_ROUTES));

    private final Path directory;
    private final List<CopiedFile> copies = new ArrayList<>();

    /** Files of OpenSM by their names in the new configuration, also of files that are already there. */
    private final Map<Path, Path> origins = new HashMap<>();

    /**
     * Creates an empty list.
     *
     * @param directory directory of the new configuration, absolute
     */
    MigratedFiles(Path directory) {
        this.directory = directory;
    }

    private static String name(Path file) {
        return String.valueOf(file.getFileName());
    }

    /** Checks whether an option names a file for which OpenSM has a default. */
    static boolean hasOwnName(String option) {
        return OWN_NAMES.containsKey(option);
    }

    /** Adds the file of an option. Returns its name in the new configuration. */
    Path add(OpenSmConf.Item item) {
        Path from = Path.of(item.value()).toAbsolutePath().normalize();
        Path to = directory.resolve(OWN_NAMES.getOrDefault(item.name(), copyName(item.name(), from)));
        boolean isNew = origins.put(to, from) == null;
        if (isNew && !from.equals(to)) {
            copies.add(new CopiedFile(from, to));
        }
        return to;
    }

    /** Returns the name of a file; with the name of its option before it, as long as another file has that name. */
    private String copyName(String option, Path from) {
        String name = name(from);
        while (isTaken(name, from)) {
            name = option + "-" + name;
        }
        return name;
    }

    private boolean isTaken(String name, Path from) {
        Path origin = origins.getOrDefault(directory.resolve(name), from);
        return OWN_NAMES.containsValue(name) || name.equals(name(Configuration.DEFAULT_FILE)) || !origin.equals(from);
    }

    /** Returns the files to copy, without those that are already in the directory, in the order of their addition. */
    List<CopiedFile> copies() {
        return List.copyOf(copies);
    }
}
