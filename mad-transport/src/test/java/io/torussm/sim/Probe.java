package io.torussm.sim;

import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.Smp;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import io.torussm.transport.MadTransport;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A client for hand-written SMPs that keeps all received MADs. */
final class Probe implements MadTransport.Receiver {
    private static final long RESPONSE_TIMEOUT_NS = 1_000_000;

    final List<MadFrame> received = new ArrayList<>();
    final SimTransport transport;
    long mKey;

    private final VirtualLoop loop;
    private long nextTid = 1;

    Probe(SimFabric fabric, VirtualLoop loop, String node, int portNum) {
        this.loop = loop;
        transport = fabric.attach(node, portNum);
        transport.start(this);
    }

    @Override
    public void received(MadFrame frame) {
        received.add(frame);
    }

    @Override
    public void transportFailed(String reason) {
        throw new IllegalStateException(reason);
    }

    /** Returns the answer to a Get with status 0. */
    <A extends Attribute<A>> A get(AttributeType<A> type, int modifier, int... path) {
        return expectOk(type, send(request(Method.GET, type, modifier, DrPath.of(path))));
    }

    /** Returns the answer to a Set with status 0. */
    <A extends Attribute<A>> A set(A value, int modifier, int... path) {
        return expectOk(value.type(), send(setRequest(value, modifier, path)));
    }

    /** Returns the status of the answer to a Get; -1 if none comes. */
    int getStatus(AttributeType<?> type, int modifier, int... path) {
        return status(send(request(Method.GET, type, modifier, DrPath.of(path))));
    }

    /** Returns the status of the answer to a Set; -1 if none comes. */
    int setStatus(Attribute<?> value, int modifier, int... path) {
        return status(send(setRequest(value, modifier, path)));
    }

    byte[] request(int method, AttributeType<?> type, int modifier, DrPath path) {
        return Smp.directed(method, nextTid++, type.id(), modifier, mKey, path);
    }

    private byte[] setRequest(Attribute<?> value, int modifier, int... path) {
        byte[] mad = request(Method.SET, value.type(), modifier, DrPath.of(path));
        value.write(mad, Smp.DATA_OFFSET);
        return mad;
    }

    /** Sends by directed route and waits for the response; null if there is none. */
    byte @Nullable [] send(byte[] mad) {
        return send(MadAddress.DIRECTED, mad);
    }

    byte @Nullable [] send(MadAddress to, byte[] mad) {
        int before = received.size();
        transport.send(new MadFrame(to, mad), 0);
        boolean hasResponse = loop.runUntil(() -> findResponse(before, mad) != null, RESPONSE_TIMEOUT_NS);
        return hasResponse ? findResponse(before, mad) : null;
    }

    private byte @Nullable [] findResponse(int from, byte[] request) {
        for (MadFrame frame : received.subList(from, received.size())) {
            byte[] mad = frame.mad();
            if (MadHeader.isResponse(mad) && MadHeader.tid(mad) == MadHeader.tid(request)) {
                return mad;
            }
        }
        return null;
    }

    private static int status(byte @Nullable [] answer) {
        return answer == null ? -1 : MadHeader.status(answer);
    }

    private static <A extends Attribute<A>> A expectOk(AttributeType<A> type, byte @Nullable [] answer) {
        if (answer == null || MadHeader.status(answer) != 0) {
            throw new AssertionError(type.layout().name() + ": status " + status(answer));
        }
        return type.read(answer, Smp.DATA_OFFSET);
    }
}
