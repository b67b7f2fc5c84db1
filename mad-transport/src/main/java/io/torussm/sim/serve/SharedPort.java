package io.torussm.sim.serve;

import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.MgmtClass;
import io.torussm.sim.SimTransport;
import io.torussm.transport.MadFrame;
import io.torussm.transport.MadTransport;
import io.torussm.transport.TransportException;
import io.torussm.transport.rmpp.Rmpp;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A port and its clients, distinguished as by the kernel and ibsim: the upper bits of the transaction ID of a request
 * are replaced by the bits of the client, so that the response finds it. Confined to the loop.
 */
final class SharedPort implements MadTransport.Receiver {
    private static final int CLIENT_SHIFT = 48;
    private static final long OF_CLIENT = 0x0000_ffff_ffff_ffffL;
    private static final long OF_DEVICE = 0xffff_ffffL;

    /** Classes of vendors (IBA 13.4.4). */
    private static final int FIRST_VENDOR_CLASS = 0x09;

    private static final int LAST_VENDOR_CLASS = 0x0f;
    private static final int FIRST_VENDOR_OUI_CLASS = 0x30;
    private static final int LAST_VENDOR_OUI_CLASS = 0x4f;

    private final SimTransport port;
    private final SentLengths lengths;
    private final List<ServedClient> clients = new ArrayList<>();
    private @Nullable ServedClient subnetManager;
    private long unclaimed;

    /**
     * Takes over a port that was just lent.
     *
     * @param lengths lengths of the MADs between all clients
     */
    SharedPort(SimTransport port, SentLengths lengths) {
        this.port = port;
        this.lengths = lengths;
        port.receiveTrapRepress();
        port.start(this);
    }

    void add(ServedClient client) {
        clients.add(client);
    }

    /** Removes a client that is gone, and its IsSM. */
    void remove(ServedClient client) {
        setIsSm(client, false);
        clients.remove(client);
    }

    /** Checks whether there is no client. */
    boolean isIdle() {
        return clients.isEmpty();
    }

    /** Gives the port back to the fabric. */
    void close() {
        port.close();
    }

    @Nullable
    ServedClient subnetManager() {
        return subnetManager;
    }

    /** Sets or clears IsSM, which one client may have; returns whether that could be done. */
    boolean setIsSm(ServedClient client, boolean isSm) {
        if (isSm == (subnetManager == client)) {
            return true;
        }
        if (isSm && subnetManager != null) {
            return false;
        }
        // Before the port's trap 144, which may come to this very port.
        subnetManager = isSm ? client : null;
        try {
            port.setIsSm(isSm);
        } catch (TransportException e) {
            throw new IllegalStateException("the port is open while it has clients", e);
        }
        return true;
    }

    /** Sends a MAD of a client, of which so many bytes count. */
    void send(ServedClient client, MadFrame frame, int length) {
        byte[] mad = frame.mad();
        if (MadHeader.method(mad) == Method.TRAP_REPRESS) {
            // libumad2sim writes the number of its agent into what must be the device's own.
            MadHeader.TRANSACTION_ID.set(mad, 0, MadHeader.tid(mad) & OF_DEVICE);
        } else if (!MadHeader.isResponse(mad)) {
            long tid = MadHeader.tid(mad) & OF_CLIENT | (long) client.id() << CLIENT_SHIFT;
            MadHeader.TRANSACTION_ID.set(mad, 0, tid);
            if (awaitsAnswer(mad) && !client.awaitAnswer(frame)) {
                return;
            }
        }
        lengths.sent(mad, length);
        port.send(frame, 0);
    }

    /**
     * Checks whether a MAD awaits an answer. A trap waits for its TrapRepress: OpenSM counts it as an open transaction
     * and would not sweep again.
     */
    private static boolean awaitsAnswer(byte[] mad) {
        return switch (MadHeader.method(mad)) {
            case Method.SEND -> false;
            default -> MadHeader.mgmtClass(mad) != MgmtClass.SUBN_ADM || !Rmpp.isControl(mad);
        };
    }

    @Override
    public void received(MadFrame frame) {
        int length = lengths.received(frame.mad());
        ServedClient client = MadHeader.method(frame.mad()) == Method.TRAP_REPRESS ? null : receiver(frame.mad());
        if (client == null) {
            repress(frame, length);
        } else {
            client.deliver(frame, length);
        }
    }

    private void repress(MadFrame frame, int length) {
        boolean isTaken = MadHeader.method(frame.mad()) == Method.TRAP_REPRESS
                && clients.stream().anyMatch(client -> client.repress(frame, length));
        unclaimed += isTaken ? 0 : 1;
    }

    private @Nullable ServedClient receiver(byte[] mad) {
        if (MadHeader.isResponse(mad)) {
            int id = (int) (MadHeader.tid(mad) >>> CLIENT_SHIFT);
            for (ServedClient client : clients) {
                if (client.id() == id) {
                    return client;
                }
            }
            return null;
        }
        return isOfVendor(MadHeader.mgmtClass(mad)) ? vendorAgent() : subnetManager;
    }

    private static boolean isOfVendor(int mgmtClass) {
        return (mgmtClass >= FIRST_VENDOR_CLASS && mgmtClass <= LAST_VENDOR_CLASS)
                || (mgmtClass >= FIRST_VENDOR_OUI_CLASS && mgmtClass <= LAST_VENDOR_OUI_CLASS);
    }

    /**
     * Returns the youngest client that is no SM, such as {@code ibping -S}. The protocol does not contain the classes
     * that a client serves.
     */
    private @Nullable ServedClient vendorAgent() {
        for (int i = clients.size() - 1; i >= 0; i--) {
            if (clients.get(i) != subnetManager) {
                return clients.get(i);
            }
        }
        return subnetManager;
    }

    @Override
    public void transportFailed(String reason) {
        throw new IllegalStateException("a port of the embedded fabric failed: " + reason);
    }

    long unclaimed() {
        return unclaimed;
    }

    /** Returns the name, such as {@code "H-0000000100000000"[1]}. */
    @Override
    public String toString() {
        return '"' + port.localPort().caName() + "\"[" + port.localPort().portNum() + "]";
    }

    long guid() {
        return port.localPort().portGuid();
    }
}
