package io.torussm.sim.serve;

import io.torussm.mad.MadHeader;
import io.torussm.sim.VirtualLoop;
import io.torussm.transport.MadAddress;
import io.torussm.transport.datagram.DatagramAddress;
import io.torussm.transport.datagram.DatagramEndpoint;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A hand-written program that behaves like one over libumad2sim: two sockets, requests and MADs. Reads only on
 * command.
 */
final class FakeClient {
    static final ListenAddress.Unix SERVER = new ListenAddress.Unix("sim");
    private static final long RESPONSE_TIMEOUT_NS = 10_000_000;

    final VirtualLoop loop;
    final MemoryNetwork.Socket control;
    final MemoryNetwork.Socket data;
    final List<byte[]> responses = new ArrayList<>();
    final List<byte[]> received = new ArrayList<>();
    boolean isReading = true;
    int id = -1;

    private final int pid;

    FakeClient(VirtualLoop loop, MemoryNetwork network, int pid) throws IOException {
        this.loop = loop;
        this.pid = pid;
        control = network.bind(SERVER.ofClient("ctl", pid), this::readControl);
        data = network.bind(SERVER.ofClient("in", pid), this::readData);
        control.connect(SERVER.control());
    }

    private void readControl() {
        control.receive((bytes, length, from) -> responses.add(Arrays.copyOf(bytes, length)));
    }

    private void readData() {
        if (isReading) {
            data.receive((bytes, length, from) -> received.add(Arrays.copyOf(bytes, length)));
        }
    }

    /** Resumes reading, with waiting datagrams first. */
    void resumeReading() {
        isReading = true;
        readData();
    }

    /** Sends a request, and returns the answer; null if none comes. */
    byte @Nullable [] request(byte[] message) {
        int before = responses.size();
        control.send(new ArrayDeque<>(List.of(message)));
        boolean hasResponse = loop.runUntil(() -> responses.size() > before, RESPONSE_TIMEOUT_NS);
        return hasResponse ? responses.get(before) : null;
    }

    byte[] connectTo(String host, boolean isSm) {
        byte[] message = ControlMessage.of(0, ControlMessage.CONNECT);
        ControlMessage.setInt(message, ControlMessage.CONNECTION, pid);
        ControlMessage.setInt(message, ControlMessage.IS_SM, isSm ? 1 : 0);
        ControlMessage.setNode(message, host);
        return message;
    }

    /** Attaches, and returns whether the server agreed. */
    boolean attach(String host) throws IOException {
        return attach(host, false);
    }

    boolean attach(String host, boolean isSm) throws IOException {
        byte[] answer = request(connectTo(host, isSm));
        if (answer == null || ControlMessage.type(answer) == ControlMessage.ERROR) {
            return false;
        }
        id = ControlMessage.intAt(answer, ControlMessage.CONNECTION);
        data.connect(SERVER.data(id));
        return true;
    }

    byte @Nullable [] request(int type) {
        return request(ControlMessage.of(id, type));
    }

    boolean setIsSm(boolean isSm) {
        byte[] message = ControlMessage.of(id, ControlMessage.SET_IS_SM);
        ControlMessage.setInt(message, ControlMessage.DATA_OFFSET, isSm ? 1 : 0);
        byte[] answer = request(message);
        return answer != null && ControlMessage.type(answer) == ControlMessage.SET_IS_SM;
    }

    DatagramEndpoint.SendResult send(MadAddress to, byte[] mad) {
        return send(to, mad, MadHeader.MAD_SIZE);
    }

    DatagramEndpoint.SendResult send(MadAddress to, byte[] mad, int length) {
        int slid = to.lid() == 0xffff ? 0xffff : 0;
        byte[] datagram = MadDatagram.of(slid, to.qpn(), to.lid(), to.qpn(), 0, mad, length);
        return data.send(new ArrayDeque<>(List.of(datagram)));
    }

    /** Sends a datagram, and returns the response with the same lower half of the TID; null if there is none. */
    byte @Nullable [] exchange(MadAddress to, byte[] mad) {
        received.clear();
        send(to, mad);
        boolean hasResponse = loop.runUntil(() -> find(mad) != null, RESPONSE_TIMEOUT_NS);
        return hasResponse ? find(mad) : null;
    }

    private byte @Nullable [] find(byte[] mad) {
        return received.stream()
                .filter(each -> (int) MadHeader.tid(MadDatagram.mad(each, 0)) == (int) MadHeader.tid(mad))
                .findFirst()
                .orElse(null);
    }

    /** Closes the sockets without a message, like a killed process. */
    void closeSilently() {
        control.close();
        data.close();
    }

    static DatagramAddress address(String name) throws IOException {
        return DatagramAddress.unix("@" + name + "\0");
    }
}
