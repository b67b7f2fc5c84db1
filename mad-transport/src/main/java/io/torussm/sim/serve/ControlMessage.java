package io.torussm.sim.serve;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A control request of a client, or its response (ibsim's {@code struct sim_ctl}): magic, client ID, type, length and
 * 64 bytes of data. A response has the type of its request, or {@link #ERROR}. Numbers are in native byte order.
 */
final class ControlMessage {
    static final int LENGTH = 80;
    static final int MAGIC = 0xdeadbeef;

    /** Types of messages. */
    static final int ERROR = 0;

    static final int CONNECT = 1;
    static final int DISCONNECT = 2;
    static final int GET_PORT = 3;
    static final int GET_VENDOR = 4;
    static final int GET_GID = 5;
    static final int GET_GUID = 6;
    static final int GET_NODE_INFO = 7;
    static final int GET_PORT_INFO = 8;
    static final int SET_IS_SM = 9;
    static final int GET_P_KEYS = 10;

    /** Byte offset of the data. */
    static final int DATA_OFFSET = 16;

    static final int DATA_BYTES = 64;

    /**
     * Byte offsets in CONNECT ({@code struct sim_client_info}): number of the connection, QP, IsSM, and name of the
     * host.
     */
    static final int CONNECTION = DATA_OFFSET;

    static final int QP = DATA_OFFSET + 4;
    static final int IS_SM = DATA_OFFSET + 8;
    static final int NODE = DATA_OFFSET + 12;
    static final int NODE_BYTES = 32;

    /** Byte offset of the max number of MADs in one datagram that the client accepts; 0 from clients of ibsim. */
    static final int PER_DATAGRAM = NODE + NODE_BYTES;

    /** Byte offset of the max number of MADs in one datagram that the server will send and accept; 0 from ibsim. */
    static final int GRANTED_PER_DATAGRAM = PER_DATAGRAM + 4;

    private static final int CLIENT_ID = 4;
    private static final int TYPE = 8;
    private static final int DATA_LENGTH = 12;

    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.nativeOrder());
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());
    private static final VarHandle GUID = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle SHORT = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.nativeOrder());

    private ControlMessage() {}

    /**
     * Returns a request without data.
     *
     * @param clientId ID of the client; 0 before CONNECT
     * @param type {@link #CONNECT} to {@link #GET_P_KEYS}
     */
    static byte[] of(int clientId, int type) {
        byte[] message = new byte[LENGTH];
        INT.set(message, 0, MAGIC);
        INT.set(message, CLIENT_ID, clientId);
        INT.set(message, TYPE, type);
        INT.set(message, DATA_LENGTH, DATA_BYTES);
        return message;
    }

    /** Checks magic and length of a received message. */
    static boolean isValid(byte[] message, int length) {
        return length == LENGTH && (int) INT.get(message, 0) == MAGIC;
    }

    static int clientId(byte[] message) {
        return (int) INT.get(message, CLIENT_ID);
    }

    static int type(byte[] message) {
        return (int) INT.get(message, TYPE);
    }

    static void setType(byte[] message, int type) {
        INT.set(message, TYPE, type);
    }

    static int intAt(byte[] message, int offset) {
        return (int) INT.get(message, offset);
    }

    static void setInt(byte[] message, int offset, int value) {
        INT.set(message, offset, value);
    }

    static void setShort(byte[] message, int offset, int value) {
        SHORT.set(message, offset, (short) value);
    }

    static void setLong(byte[] message, int offset, long value) {
        LONG.set(message, offset, value);
    }

    /** Writes a GUID, or half of a GID, in network byte order. */
    static void setGuid(byte[] message, int offset, long value) {
        GUID.set(message, offset, value);
    }

    /** Writes the data of a response: at most 64 bytes, followed by zeros. */
    static void setData(byte[] message, byte[] data) {
        int length = Math.min(data.length, DATA_BYTES);
        System.arraycopy(data, 0, message, DATA_OFFSET, length);
        Arrays.fill(message, DATA_OFFSET + length, DATA_OFFSET + DATA_BYTES, (byte) 0);
    }

    /** Returns the name of the host in CONNECT, up to the first zero. */
    static String node(byte[] message) {
        int length = 0;
        while (length < NODE_BYTES && message[NODE + length] != 0) {
            length++;
        }
        return new String(message, NODE, length, StandardCharsets.UTF_8);
    }

    /** Writes the name of the host in CONNECT, cut to 31 bytes. */
    static void setNode(byte[] message, String name) {
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        Arrays.fill(message, NODE, NODE + NODE_BYTES, (byte) 0);
        System.arraycopy(bytes, 0, message, NODE, Math.min(bytes.length, NODE_BYTES - 1));
    }
}
