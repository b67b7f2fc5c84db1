package io.torussm.daemon.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jgroups.Address;
import org.jgroups.BytesMessage;
import org.jgroups.EmptyMessage;
import org.jgroups.Header;
import org.jgroups.Message;
import org.jgroups.ObjectMessage;
import org.jgroups.Version;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.FRAG4;
import org.jgroups.protocols.FragHeader;
import org.jgroups.protocols.TCP;
import org.jgroups.protocols.UNICAST3;
import org.jgroups.protocols.UnicastHeader3;
import org.jgroups.protocols.pbcast.NAKACK2;
import org.jgroups.protocols.pbcast.NakAckHeader2;
import org.jgroups.stack.IpAddress;
import org.jgroups.stack.Protocol;
import org.jgroups.util.ByteArrayDataInputStream;
import org.jgroups.util.MessageBatch;
import org.jgroups.util.SeqnoList;
import org.jgroups.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Wrong lengths from a peer with the key cost no memory; messages of torus-sm are accepted. */
class BoundedTcpTest {
    private static final int LIE = 1 << 30;
    private static final int ENOUGH = 16 << 20;
    private static final byte LIST = 1;
    private static final Address PEER = UUID.randomUUID();

    private final TCP tcp = new BoundedTcp();
    private final List<Message> passed = new ArrayList<>();

    @BeforeEach
    void listen() {
        tcp.setUpProtocol(new Protocol() {
            @Override
            public Object up(Message message) {
                passed.add(message);
                return message;
            }

            @Override
            public void up(MessageBatch batch) {
                batch.forEach(passed::add);
            }
        });
    }

    private interface Content {
        void write(DataOutputStream out) throws IOException;
    }

    static Stream<byte[]> lies() throws IOException {
        return Stream.of(
                message(Message.BYTES_MSG, out -> out.writeInt(LIE)),
                message(Message.NIO_MSG, out -> {
                    out.writeBoolean(false);
                    out.writeInt(LIE);
                }),
                message(Message.COMPOSITE_MSG, out -> out.writeInt(LIE / Long.BYTES)),
                message(Message.EARLYBATCH_MSG, out -> {
                    out.writeInt(LIE / Long.BYTES);
                    out.writeByte(0);
                }),
                message(Message.FRAG_MSG, out -> out.writeInt(LIE)),
                message(Message.OBJ_MSG, out -> {
                    out.writeByte(1);
                    out.writeShort(ClassConfigurator.getMagicNumber(SeqnoList.class));
                    out.writeInt(LIE);
                    out.writeLong(1);
                }),
                frame(LIST, out -> {
                    out.writeByte(0);
                    out.writeByte(0);
                    out.writeShort(-1);
                    out.writeInt(LIE / Long.BYTES);
                    out.write(new byte[] {0, Message.EMPTY_MSG, 0, 0, 0, 0, 0});
                }));
    }

    @ParameterizedTest
    @MethodSource("lies")
    void aLengthThatIsALieCostsNoMemory(byte[] frame) throws Exception {
        receive(message(Message.BYTES_MSG, out -> out.writeInt(-1)));
        com.sun.management.ThreadMXBean threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        receive(frame);
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(ENOUGH);
    }

    /** They would be rows of a table, or places for fragments, before anything is there. */
    @Test
    void aNumberFarAheadIsNotTaken() {
        for (long number :
                LongStream.of(-1, BoundedTcp.MAX_NUMBER + 1, Long.MAX_VALUE).toArray()) {
            pass(unicast(number));
            pass(multicast(number));
        }
        for (int fragments : new int[] {-1, 0, BoundedTcp.MAX_FRAGMENTS + 1, Integer.MAX_VALUE}) {
            pass(fragment(fragments));
        }
        assertThat(passed).isEmpty();
        List<Message> sound = List.of(
                unicast(1),
                unicast(BoundedTcp.MAX_NUMBER),
                multicast(5),
                fragment(1200),
                bytes(new byte[1]),
                request(NAKACK2.class, NakAckHeader2.createXmitRequestHeader(PEER)),
                request(NAKACK2.class, NakAckHeader2.createHighestSeqnoHeader(0)),
                request(UNICAST3.class, UnicastHeader3.createXmitReqHeader()),
                request(UNICAST3.class, UnicastHeader3.createSendFirstSeqnoHeader(1)),
                request(UNICAST3.class, UnicastHeader3.createAckHeader(0, (short) 1, 1)),
                request(UNICAST3.class, UnicastHeader3.createCloseHeader((short) 1)));
        sound.forEach(this::pass);
        assertThat(passed).hasSize(2 * sound.size());
    }

    @Test
    void bytesAreNoObjects() throws Exception {
        Message bytes = asReceived(new BytesMessage(null, Instant.EPOCH));
        assertThat(bytes.isFlagSet(Message.Flag.SERIALIZED)).isTrue();
        for (Message copy : List.of(bytes, bytes.copy(true, true))) {
            assertThatThrownBy(copy::getObject).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void messagesOfPeersAreRead() throws Exception {
        assertThat(asReceived(bytes(new byte[60_000])).getLength()).isEqualTo(60_000);
        assertThat(asReceived(new EmptyMessage(null)).getLength()).isZero();
        SeqnoList missing = new SeqnoList(4096, 1000).add(1000, 5000);
        SeqnoList read = asReceived(new ObjectMessage(null, missing)).getObject();
        assertThat(read.iterator()).toIterable().containsExactlyElementsOf(missing);
    }

    private static byte[] frame(int flags, Content content) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeShort(Version.version);
        out.writeByte(flags);
        content.write(out);
        return bytes.toByteArray();
    }

    /** Returns a message without addresses and headers, up to its content. */
    private static byte[] message(short type, Content content) throws IOException {
        return frame(0, out -> {
            out.writeShort(type);
            out.writeByte(0);
            out.writeShort(0);
            out.writeShort(0);
            content.write(out);
        });
    }

    private void receive(byte[] frame) throws Exception {
        tcp.receive(new IpAddress(7800), new DataInputStream(new ByteArrayInputStream(frame)), frame.length);
    }

    /** Passes a message alone, and with others. */
    private void pass(Message message) {
        tcp.passMessageUp(message, null, false, false, false);
        MessageBatch batch = new MessageBatch(1);
        batch.add(message);
        tcp.passBatchUp(batch, false, false);
    }

    private static Message unicast(long number) {
        return bytes(new byte[1])
                .putHeader(
                        ClassConfigurator.getProtocolId(UNICAST3.class),
                        UnicastHeader3.createDataHeader(number, (short) 1, true));
    }

    private static Message multicast(long number) {
        return bytes(new byte[1])
                .putHeader(ClassConfigurator.getProtocolId(NAKACK2.class), NakAckHeader2.createMessageHeader(number));
    }

    private static Message request(Class<? extends Protocol> protocol, Header header) {
        return new EmptyMessage().setSrc(PEER).putHeader(ClassConfigurator.getProtocolId(protocol), header);
    }

    private static Message fragment(int fragments) {
        return bytes(new byte[1])
                .putHeader(ClassConfigurator.getProtocolId(FRAG4.class), new FragHeader(1, 0, fragments));
    }

    private static Message bytes(byte[] content) {
        return new BytesMessage(null, content).setSrc(PEER);
    }

    private Message asReceived(Message message) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        message.writeTo(new DataOutputStream(bytes));
        Message read = tcp.getMessageFactory().create(message.getType());
        read.readFrom(new ByteArrayDataInputStream(bytes.toByteArray()));
        return read;
    }
}
