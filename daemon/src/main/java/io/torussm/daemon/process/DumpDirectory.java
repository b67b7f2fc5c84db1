package io.torussm.daemon.process;

import io.torussm.daemon.config.FileErrors;
import io.torussm.daemon.control.SmControl;
import io.torussm.daemon.dump.Dumps;
import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.view.FabricState;
import io.torussm.view.PlacedSubnet;
import io.torussm.view.PublishedView;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The dumps in the configured directory. Each method returns true if the dumps were written or no directory is
 * configured.
 */
final class DumpDirectory {
    private static final EventLog EVENTS = EventLog.of(DumpDirectory.class);

    private final Supplier<@Nullable Path> directorySupplier;

    /**
     * Creates dumps.
     *
     * @param directory supplier of the configured directory; null for no dumps
     */
    DumpDirectory(Supplier<@Nullable Path> directory) {
        this.directorySupplier = directory;
    }

    private interface Dump {
        void writeTo(Path dir) throws IOException;
    }

    boolean write(PublishedView view, SmControl control) {
        return write(dir -> Dumps.write(view, control.multicast(), dir));
    }

    boolean writeMulticast(PublishedView view, SmControl control) {
        return write(dir -> Dumps.writeMulticast(view, control.multicast(), dir));
    }

    /** Writes the dumps of the active subnet. If no subnet is up, writes the dumps of the discovered fabric. */
    boolean writeCurrent(SmControl control) {
        FabricState state = control.state();
        PublishedView view = state.view();
        PlacedSubnet discovered = state.found();
        if (view != null) {
            return write(view, control);
        }
        return discovered == null || write(dir -> Dumps.writeFound(discovered.fabric(), dir));
    }

    private boolean write(Dump dump) {
        Path dir = directorySupplier.get();
        if (dir == null) {
            return true;
        }
        try {
            dump.writeTo(dir);
            return true;
        } catch (IOException e) {
            EVENTS.report(SmEvent.DUMP_FAILED, EventField.FILE.of(dir), EventField.REASON.of(FileErrors.describe(e)));
            return false;
        }
    }
}
