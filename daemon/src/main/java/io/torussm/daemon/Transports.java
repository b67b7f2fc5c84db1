package io.torussm.daemon;

import io.torussm.transport.MadCapture;
import io.torussm.transport.MadTransport;
import io.torussm.transport.TransportException;
import io.torussm.transport.umad.PortChoice;
import io.torussm.transport.umad.UmadTransport;
import java.nio.file.Path;

/** Opens the port that the options name: a real one, or one of the embedded fabric. */
final class Transports {
    private Transports() {}

    static MadTransport open(SmOptions options) throws TransportException, ConfigurationException {
        SmOptions.Port port = options.port();
        MadTransport transport = UmadTransport.open(new PortChoice(port.ca(), port.number(), port.guid()));
        Path capture = options.files().capture();
        return capture == null ? transport : MadCapture.capture(transport, capture);
    }
}
