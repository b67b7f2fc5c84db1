package io.torussm.daemon.dump;

import io.torussm.fabric.IbNetDiscoverFormat;
import io.torussm.multicast.MulticastView;
import io.torussm.view.PublishedView;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * Writes all dump files of a view. Each is written beside its place and renamed, so a reader sees the old file or the
 * new one, whole.
 *
 * <p>The files grow with switches x LIDs; at the largest fabrics that is gigabytes, which is why nothing is written
 * unless the operator names a directory.
 */
public final class Dumps {
    /** One file. */
    private interface Writer {
        void write(PublishedView view, Text text) throws IOException;
    }

    private Dumps() {}

    /**
     * Writes the files; makes the directory if it is not there.
     *
     * @param groups the multicast groups along the view's tree
     * @throws IOException if one cannot be written; those before it are then new, the others old
     */
    public static void write(PublishedView view, MulticastView groups, Path dir) throws IOException {
        Files.createDirectories(dir);
        write(view, dir, "opensm-subnet.lst", LinkDump::subnetList);
        write(view, dir, "opensm.fdbs", ForwardingDump::fdbs);
        writeMulticast(view, groups, dir);
        write(view, dir, "opensm-lfts.dump", ForwardingDump::lfts);
        write(view, dir, "opensm-sl2vl.dump", QosDump::sl2vl);
        write(view, dir, "opensm-path-sl.dump", QosDump::pathSls);
        write(view, dir, "opensm-torus.dump", TorusDump::places);
        write(view, dir, "fabric.topo", Dumps::topology);
    }

    /**
     * Writes the only file that depends on the groups, which change between sweeps; makes the directory if it is not there.
     *
     * @throws IOException if it cannot be written; the old one is there then
     */
    public static void writeMulticast(PublishedView view, MulticastView groups, Path dir) throws IOException {
        Files.createDirectories(dir);
        write(view, dir, "opensm.mcfdbs", (of, text) -> ForwardingDump.multicastFdbs(of, groups, text));
    }

    /** What ibnetdiscover would print; ibsim and {@code --simulate} read it back. */
    private static void topology(PublishedView view, Text text) throws IOException {
        StringBuilder topology = new StringBuilder();
        IbNetDiscoverFormat.write(view.subnet().fabric(), topology);
        text.put(topology.toString().replace('\t', ' '));
    }

    private static void write(PublishedView view, Path dir, String name, Writer writer) throws IOException {
        Path aside = dir.resolve(name + ".tmp");
        try (Text text = new Text(Files.newOutputStream(aside))) {
            writer.write(view, text);
        }
        Files.move(aside, dir.resolve(name), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
