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
 * A port and its clients. As in the kernel and in ibsim, the upper bits of the transaction ID of a request are replaced
 * by the ID of its client. The response with this transaction ID goes to that client. Confined to the loop.
 */
final class SharedPort implements MadTransport.Receiver {
    /** Position of the client's ID in a transaction ID. */
    private static final int CLIENT_SHIFT = 48;

    /** Bits of a transaction ID that a client selects. */
    private static final long CLIENT_TID_MASK = 0x0000_ffff_ffff_ffffL;

    /** Bits of the transaction ID of a trap that a device selects. */
    private static final long DEVICE_TID_MASK = 0xffff_ffffL;

    /** Classes of vendors, without and with an OUI (IBA 13.4.4). */
    private static final int FIRST_VENDOR_CLASS = 0x09;

    private static final int LAST_VENDOR_CLASS = 0x0f;
    private static final int FIRST_VENDOR_OUI_CLASS = 0x30;
    private static final int LAST_VENDOR_OUI_CLASS = 0x4f;

    private final SimTransport port;
    private final SentLengths lengths;
    private final List<ServedClient> clients = new ArrayList<>();

    /** The client that has set IsSM; null if no client has. */
    private @Nullable ServedClient subnetManager;

    private long unclaimed;

    /**
     * Creates a port without clients.
     *
     * @param port port of the fabric, not started
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

    /** Removes a client, and clears IsSM if the client has set it. */
    void remove(ServedClient client) {
        setIsSm(client, false);
        clients.remove(client);
    }

    /** Checks whether the port has no clients. */
    boolean isIdle() {
        return clients.isEmpty();
    }

    /** Detaches the port from the fabric. */
    void close() {
        port.close();
    }

    @Nullable
    ServedClient subnetManager() {
        return subnetManager;
    }

    /** Sets or clears IsSM for a client. Returns false if another client has set it. */
    boolean setIsSm(ServedClient client, boolean isSm) {
        if (isSm == (subnetManager == client)) {
            return true;
        }
        if (isSm && subnetManager != null) {
            return false;
        }
        // Set before the port sends trap 144, which may arrive at this port.
        subnetManager = isSm ? client : null;
        try {
            port.setIsSm(isSm);
        } catch (TransportException e) {
            throw new IllegalStateException("the port is open while it has clients", e);
        }
        return true;
    }

    /**
     * Sends a MAD of a client.
     *
     * @param length number of bytes of the MAD that count
     */
    void send(ServedClient client, MadFrame frame, int length) {
        byte[] mad = frame.mad();
        if (MadHeader.method(mad) == Method.TRAP_REPRESS) {
            // libumad2sim has overwritten the upper half of the device's transaction ID, which is 0.
            MadHeader.TRANSACTION_ID.set(mad, 0, MadHeader.tid(mad) & DEVICE_TID_MASK);
        } else if (!MadHeader.isResponse(mad)) {
            long tid = MadHeader.tid(mad) & CLIENT_TID_MASK | (long) client.id() << CLIENT_SHIFT;
            MadHeader.TRANSACTION_ID.set(mad, 0, tid);
            if (expectsResponse(mad) && !client.registerRequest(frame)) {
                return;
            }
        }
        lengths.recordLength(mad, length);
        port.send(frame, 0);
    }

    /**
     * Checks whether a MAD has a response. A trap has the TrapRepress: OpenSM counts a trap as an open transaction and
     * would not sweep again without the return of the trap.
     */
    private static boolean expectsResponse(byte[] mad) {
        return switch (MadHeader.method(mad)) {
            case Method.SEND -> false;
            default -> MadHeader.mgmtClass(mad) != MgmtClass.SUBN_ADM || !Rmpp.isControl(mad);
        };
    }

    @Override
    public void received(MadFrame frame) {
        int length = lengths.removeLength(frame.mad());
        ServedClient client = MadHeader.method(frame.mad()) == Method.TRAP_REPRESS ? null : receiver(frame.mad());
        if (client == null) {
            repress(frame, length);
        } else {
            client.deliver(frame, length);
        }
    }

    /** Delivers a TrapRepress to the client that sent the trap. Any other MAD is unclaimed. */
    private void repress(MadFrame frame, int length) {
        boolean isDelivered = MadHeader.method(frame.mad()) == Method.TRAP_REPRESS
                && clients.stream().anyMatch(client -> client.repress(frame, length));
        unclaimed += isDelivered ? 0 : 1;
    }

    /** Returns the client for a MAD: the requester of a response, or an agent of the class; null if neither exists. */
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
     * Returns the last attached client that is no SM, such as {@code ibping -S}. The protocol does not transfer the
     * classes that a client serves.
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

    /** Returns node and port, such as {@code "H-0000000100000000"[1]}. */
    @Override
    public String toString() {
        return '"' + port.localPort().caName() + "\"[" + port.localPort().portNum() + "]";
    }

    long guid() {
        return port.localPort().portGuid();
    }
}
