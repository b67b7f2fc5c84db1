package io.torussm.daemon.alert;

import io.torussm.daemon.config.SmOptions;
import io.torussm.daemon.journal.Journal;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** The delivery of journal events to the configured receivers, until it is closed. */
public final class Alerts implements AutoCloseable {
    private static final long PAUSE_MS = 1_000;

    private final List<Delivery> deliveries = new ArrayList<>();

    /**
     * Begins the delivery with the first event in the journal.
     *
     * @param options receivers; may be empty
     * @param defects receiver of unexpected exceptions
     */
    public Alerts(SmOptions.Alerts options, Journal journal, Consumer<Throwable> defects) {
        List<Receiver> receivers = new ArrayList<>();
        Path program = options.alertProgram();
        if (program != null) {
            receivers.add(new ProgramReceiver(program));
        }
        URI url = options.alertUrl();
        if (url != null) {
            receivers.add(new WebReceiver(url));
        }
        AlertFilter choice = new AlertFilter(options.alertLevel(), options.alertCodes());
        for (Receiver receiver : receivers) {
            deliveries.add(new Delivery(journal, host(), choice, receiver, PAUSE_MS, defects));
        }
    }

    private static String host() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "localhost"; // The host name is unknown.
        }
    }

    @Override
    public void close() {
        deliveries.forEach(Delivery::close);
    }
}
