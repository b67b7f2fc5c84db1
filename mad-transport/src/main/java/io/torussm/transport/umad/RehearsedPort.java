package io.torussm.transport.umad;

import io.torussm.mad.MadHeader;
import io.torussm.mad.MgmtClass;
import io.torussm.mad.smp.PortInfo;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import io.torussm.transport.MadTransport;
import io.torussm.transport.TransportException;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A port without an adapter, for a rehearsal of the start. The rehearsal loads all classes for opening, sending and
 * receiving, and touches no device. Each sent MAD is received once.
 */
public final class RehearsedPort implements Umad {
    private static final PortDescription PORT =
            new PortDescription("rehearsal", 1, 1, 0, PortInfo.STATE_ACTIVE, "InfiniBand");

    private static final long TIMEOUT_MS = 10_000;

    private final BlockingQueue<MadFrame> sent = new LinkedBlockingQueue<>();

    private RehearsedPort() {}

    /**
     * Opens the port, sets IsSM, sends an SMP, receives it, and closes the port.
     *
     * @return true if the SMP was received
     */
    public static boolean rehearse() throws TransportException, InterruptedException {
        byte[] smp = new byte[MadHeader.MAD_SIZE];
        MadHeader.MGMT_CLASS.set(smp, 0, MgmtClass.SUBN_DIRECTED_ROUTE);
        CountDownLatch received = new CountDownLatch(1);
        UmadTransport transport = UmadTransport.open(new RehearsedPort(), PortChoice.byGuid(PORT.portGuid()), false);
        try {
            transport.start(new MadTransport.Receiver() {
                @Override
                public void received(MadFrame frame) {
                    received.countDown();
                }

                @Override
                public void transportFailed(String reason) {}
            });
            transport.setIsSm(true);
            transport.send(new MadFrame(MadAddress.DIRECTED, smp, false), 1);
            transport.receiveInline(1);
            transport.resumeReceiveThread();
            return received.await(TIMEOUT_MS, TimeUnit.MILLISECONDS);
        } finally {
            transport.close();
        }
    }

    @Override
    public List<PortDescription> ports() {
        return List.of(PORT);
    }

    @Override
    public List<Pair> pairs() {
        return List.of();
    }

    @Override
    public List<String> holders(String caName, int portNum) {
        return List.of();
    }

    @Override
    public int portState(String caName, int portNum) {
        return PortInfo.STATE_ACTIVE;
    }

    @Override
    public int open(String caName, int portNum) {
        return 0;
    }

    @Override
    public void close(int port) {}

    @Override
    public int register(int port, int mgmtClass, int classVersion, long methods) {
        return mgmtClass;
    }

    /** Fails, as umad2sim and old kernels do, so that the fallback is rehearsed, too. */
    @Override
    public int registerUserRmpp(int port, int mgmtClass, int classVersion, long methods) throws ErrnoException {
        throw new ErrnoException("umad_register2", ErrnoException.EINVAL);
    }

    @Override
    public int registerKernelRmpp(int port, int mgmtClass, int classVersion, long methods) {
        return mgmtClass;
    }

    @Override
    public void unregister(int port, int agent) {}

    /** Sends by way of the memory that libibumad would be given, whose classes are needed, too. */
    @Override
    public void send(int port, int agent, MadFrame frame, int responseTimeoutMs) {
        UserMadMemory memory = new UserMadMemory(MadHeader.MAD_SIZE);
        memory.put(frame.peer(), frame.mad());
        memory.readHeader();
        sent.add(new MadFrame(memory.address(), frame.mad(), memory.isUndelivered()));
    }

    @Override
    public @Nullable MadFrame receive(int port, int timeoutMs) {
        try {
            return sent.poll(timeoutMs, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    @Override
    public int openIsSm(String caName, int portNum) {
        return 0;
    }

    @Override
    public void closeIsSm(int handle) {}
}
