package io.torussm.transport.umad;

import io.torussm.transport.MadFrame;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The part of libibumad that the transport needs, in plain Java values. Tests replace it by a failing one.
 */
interface Umad {
    /** Returns the ports of all channel adapters; empty if there are none, or none that this process may see. */
    List<PortDescription> ports();

    /**
     * Returns the pairs of devices of adapters whose QP0 and QP1 are behind different devices.
     *
     * @return empty if the library does not support such adapters
     */
    List<Pair> pairs();

    /**
     * Returns other processes that have the devices of a port open, as far as visible. Those that set its
     * IsSM come first.
     */
    List<String> holders(String caName, int portNum);

    /** Returns PortInfo.PortState as the operating system shows it now, 0 if the port is absent. */
    int portState(String caName, int portNum);

    /**
     * Two devices that are one adapter, or one device twice.
     *
     * @param smi the one with QP0
     * @param gsi the one with QP1
     */
    record Pair(String smi, String gsi) {}

    /** Opens the MAD device of a port and returns a handle. */
    int open(String caName, int portNum) throws ErrnoException;

    void close(int port);

    /**
     * Registers for the MADs of a class and returns the agent's number.
     *
     * @param methods bit n requests unsolicited MADs of method n; responses to own requests need none
     */
    int register(int port, int mgmtClass, int classVersion, long methods) throws ErrnoException;

    /** Registers as {@link #register}, and informs the kernel that RMPP segments are not its business. */
    int registerUserRmpp(int port, int mgmtClass, int classVersion, long methods) throws ErrnoException;

    /**
     * Registers as {@link #register}, and leaves RMPP to the kernel: messages of several segments come and go whole.
     */
    int registerKernelRmpp(int port, int mgmtClass, int classVersion, long methods) throws ErrnoException;

    void unregister(int port, int agent);

    /**
     * Sends one MAD, or a message for the kernel to segment. Any thread.
     *
     * @param responseTimeoutMs the kernel returns the request after this time without a response; 0 expects none
     */
    void send(int port, int agent, MadFrame frame, int responseTimeoutMs) throws ErrnoException;

    /**
     * Waits for one MAD; one thread at a time.
     *
     * @return null if no MAD arrived in time; longer than a MAD only if the kernel does RMPP
     */
    @Nullable
    MadFrame receive(int port, int timeoutMs) throws ErrnoException;

    /** Opens the device that sets IsSM for as long as it stays open, without waiting for another holder. */
    int openIsSm(String caName, int portNum) throws ErrnoException;

    void closeIsSm(int handle);
}
