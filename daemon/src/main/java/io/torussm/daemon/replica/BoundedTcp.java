package io.torussm.daemon.replica;

import java.io.DataInput;
import java.io.IOException;
import java.util.function.Supplier;
import org.jgroups.Address;
import org.jgroups.BytesMessage;
import org.jgroups.DefaultMessageFactory;
import org.jgroups.EmptyMessage;
import org.jgroups.LongMessage;
import org.jgroups.Message;
import org.jgroups.ObjectMessage;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.FRAG4;
import org.jgroups.protocols.FragHeader;
import org.jgroups.protocols.TCP;
import org.jgroups.protocols.UNICAST3;
import org.jgroups.protocols.UnicastHeader3;
import org.jgroups.protocols.pbcast.NAKACK2;
import org.jgroups.protocols.pbcast.NakAckHeader2;
import org.jgroups.util.ByteArrayDataInputStream;
import org.jgroups.util.MessageBatch;

/**
 * The TCP protocol of JGroups with limits: lengths in messages are checked, and no object is deserialized. JGroups
 * itself allocates memory for a length before the bytes arrive. The wire format is that of JGroups. Runs on threads of
 * JGroups.
 */
final class BoundedTcp extends TCP {
    /** Max length of a frame, which is larger than all bundles and fragments. */
    static final int MAX_FRAME_BYTES = 1 << 20;

    /** Max number of fragments. JGroups allocates a place for each fragment; the largest message has a thousand. */
    static final int MAX_FRAGMENTS = 1 << 12;

    /**
     * Max sequence number. JGroups allocates a reference for each 1024 messages up to a sequence number, here 64 MiB.
     * 100 messages a second reach the number after five years.
     */
    static final long MAX_NUMBER = 1L << 34;

    private static final short FRAGMENTS = ClassConfigurator.getProtocolId(FRAG4.class);
    private static final short UNICASTS = ClassConfigurator.getProtocolId(UNICAST3.class);
    private static final short MULTICASTS = ClassConfigurator.getProtocolId(NAKACK2.class);

    BoundedTcp() {
        setId(ClassConfigurator.getProtocolId(TCP.class));
        setMaxLength(MAX_FRAME_BYTES);
        setMessageFactory(new PeerMessageFactory());
    }

    @Override
    public void receive(Address sender, DataInput in, int length) throws Exception {
        byte[] frame = new byte[length];
        in.readFully(frame);
        super.receive(sender, new Frame(frame), length);
    }

    @Override
    public void passMessageUp(
            Message message, byte[] cluster, boolean matchesCluster, boolean multicast, boolean discardsOwn) {
        if (isPlausible(message)) {
            super.passMessageUp(message, cluster, matchesCluster, multicast, discardsOwn);
        }
    }

    @Override
    public void passBatchUp(MessageBatch batch, boolean matchesCluster, boolean discardsOwn) {
        batch.removeIf(message -> !isPlausible(message), true);
        if (!batch.isEmpty()) {
            super.passBatchUp(batch, matchesCluster, discardsOwn);
        }
    }

    private static boolean isPlausible(Message message) {
        FragHeader fragment = message.getHeader(FRAGMENTS);
        UnicastHeader3 unicast = message.getHeader(UNICASTS);
        NakAckHeader2 multicast = message.getHeader(MULTICASTS);
        return (fragment == null || (fragment.num_frags > 0 && fragment.num_frags <= MAX_FRAGMENTS))
                && (unicast == null || isPlausible(unicast.seqno()))
                && (multicast == null || isRequest(multicast) || isPlausible(multicast.getSeqno()));
    }

    /** Checks whether a message requests lost messages. Its sequence numbers are in its content, not in the header. */
    private static boolean isRequest(NakAckHeader2 multicast) {
        return multicast.getType() == NakAckHeader2.XMIT_REQ;
    }

    private static boolean isPlausible(long number) {
        return number >= 0 && number <= MAX_NUMBER;
    }

    /** A frame whose integers are limited, because JGroups reads only lengths and small counters as integers. */
    private static final class Frame extends ByteArrayDataInputStream {
        Frame(byte[] bytes) {
            super(bytes);
        }

        @Override
        public int readInt() throws IOException {
            int value = super.readInt();
            if (value > MAX_FRAME_BYTES) {
                throw new IOException("a length of " + value + " in a frame of " + limit + " bytes");
            }
            return value;
        }
    }

    /**
     * The factory of the message types that peers send. Other types are rejected, because some are read without limits.
     */
    private static final class PeerMessageFactory extends DefaultMessageFactory {
        @Override
        @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // required by the interface
        public <T extends Message> T create(short type) {
            return (T)
                    switch (type) {
                        case Message.BYTES_MSG -> new PlainBytesMessage();
                        case Message.EMPTY_MSG -> new EmptyMessage();
                        case Message.LONG_MSG -> new LongMessage();
                        case Message.OBJ_MSG -> new ObjectMessage();
                        default -> throw new IllegalArgumentException("messages of type " + type + " are not taken");
                    };
        }
    }

    /**
     * A message of plain bytes. JGroups would deserialize the bytes, by Java serialization, to an object of any class
     * on the class path.
     */
    private static final class PlainBytesMessage extends BytesMessage {
        @Override
        @SuppressWarnings("TypeParameterUnusedInFormals") // required by the class
        public <T> T getObject(ClassLoader loader) {
            throw new IllegalArgumentException("bytes are not taken for an object");
        }

        @Override
        public Supplier<Message> create() {
            return PlainBytesMessage::new;
        }
    }
}
