package io.torussm.sim.serve;

import io.torussm.transport.datagram.DatagramAddress;
import io.torussm.transport.datagram.DatagramEndpoint;
import io.torussm.transport.datagram.DatagramNetwork;
import java.io.IOException;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The control socket of the server at one address, where clients attach to ports, and where libumad2sim requests the
 * registers for sysfs. Confined to the loop.
 */
final class ControlSocket implements AutoCloseable {
    private final FabricServer server;
    private final ListenAddress address;
    private final DatagramEndpoint socket;

    ControlSocket(FabricServer server, DatagramNetwork network, ListenAddress address) throws IOException {
        this.server = server;
        this.address = address;
        socket = network.bind(address.control(), this::handleReady);
    }

    private void handleReady() {
        socket.receive(this::receive);
    }

    private void receive(byte[] bytes, int length, @Nullable DatagramAddress from) {
        if (from == null || !ControlMessage.isValid(bytes, length)) {
            server.countMalformed();
            return;
        }
        byte[] message = Arrays.copyOf(bytes, length);
        if (!answer(message, from)) {
            ControlMessage.setType(message, ControlMessage.ERROR);
        }
        server.countControlRequest();
        socket.send(message, from);
    }

    /** Turns a request into its response. Returns false if the request is rejected. */
    private boolean answer(byte[] message, DatagramAddress from) {
        int type = ControlMessage.type(message);
        if (type == ControlMessage.CONNECT) {
            return connect(message, from);
        }
        ServedClient client = server.client(ControlMessage.clientId(message), from);
        if (client == null) {
            server.countMalformed();
            return false;
        }
        return switch (type) {
            case ControlMessage.DISCONNECT -> {
                server.detach(client);
                yield true;
            }
            case ControlMessage.SET_IS_SM ->
                server.setIsSm(client, ControlMessage.intAt(message, ControlMessage.DATA_OFFSET) != 0);
            default -> client.registers().answer(message);
        };
    }

    private boolean connect(byte[] message, DatagramAddress from) {
        try {
            int perDatagram = perDatagram(message);
            ServedClient client = server.attach(
                    address,
                    from,
                    ControlMessage.intAt(message, ControlMessage.CONNECTION),
                    ControlMessage.node(message),
                    perDatagram);
            if (ControlMessage.intAt(message, ControlMessage.IS_SM) != 0 && !server.setIsSm(client, true)) {
                server.detach(client);
                throw new RefusedException("another client has IsSM at " + client.port());
            }
            ControlMessage.setInt(message, ControlMessage.CONNECTION, client.id());
            ControlMessage.setNode(message, client.registers().name());
            ControlMessage.setInt(message, ControlMessage.GRANTED_PER_DATAGRAM, perDatagram);
            return true;
        } catch (RefusedException e) {
            server.countRefusal(from, e);
            return false;
        }
    }

    /**
     * Returns the number of MADs in one datagram for a client: the requested one, within 1 to {@link
     * MadDatagram#MAX_MADS}.
     */
    private static int perDatagram(byte[] message) {
        int asked = ControlMessage.intAt(message, ControlMessage.PER_DATAGRAM);
        return Math.max(1, Math.min(asked, MadDatagram.MAX_MADS));
    }

    @Override
    public void close() {
        socket.close();
    }

    @Override
    public String toString() {
        return Objects.toString(address);
    }
}
