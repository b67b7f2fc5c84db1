package io.torussm.sa;

import io.torussm.mad.AttributeType;
import io.torussm.mad.Gid;
import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.MgmtClass;
import io.torussm.mad.sa.MultiPathRecord;
import io.torussm.mad.sa.SaMad;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import io.torussm.transport.rmpp.Rmpp;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Hostile requests: requests for each served attribute, with records of the SA as their data, changed at
 * random; RMPP of receivers that violate the protocol; requests of several segments.
 */
final class HostileRequests {
    private static final int MAX_RECORDS_KEPT = 16;

    /** All served methods, and some others. */
    private static final int[] METHODS = {
        Method.GET,
        Method.GET,
        Method.GET_TABLE,
        Method.GET_TABLE,
        Method.SET,
        Method.DELETE,
        Method.GET_MULTI,
        Method.GET_TRACE_TABLE,
        Method.SEND,
        Method.TRAP,
        Method.REPORT,
        Method.TRAP_REPRESS,
        0x00,
        0x04,
        0x16,
        0x7f,
    };

    private static final int GID_BYTES = 16;

    /** Byte offset of the GIDs in a MultiPathRecord. */
    private static final int FIRST_GID = 24;

    /** Bytes that PayloadLength counts for each segment besides its data (IBA 13.6.2.1). */
    private static final int SA_HEADER = 20;

    static final int MULTI_PATH_RECORD = 0x3a;

    private final Random random;
    private final SmallTorus torus;
    private final List<Integer> attributes = new ArrayList<>();

    /** Records of each attribute, by its ID, as material for requests. */
    private final Map<Integer, List<byte[]>> records = new HashMap<>();

    HostileRequests(Random random, SmallTorus torus, Iterable<AttributeType<?>> served) {
        this.random = random;
        this.torus = torus;
        served.forEach(type -> attributes.add(type.id()));
        attributes.addAll(List.of(0x31, 0x34, 0x77, 0xffff));
    }

    /** Remembers the record of an answer, for later requests. */
    void learn(byte[] request, byte[] answer) {
        if (MadHeader.status(answer) == MadStatus.OK && SaMad.ATTRIBUTE_OFFSET.get(answer, 0) != 0) {
            List<byte[]> known = records.computeIfAbsent(MadHeader.attributeId(request), id -> new ArrayList<>());
            byte[] record = Arrays.copyOfRange(answer, SaMad.DATA_OFFSET, MadHeader.MAD_SIZE);
            if (known.size() < MAX_RECORDS_KEPT) {
                known.add(record);
            } else {
                known.set(random.nextInt(MAX_RECORDS_KEPT), record);
            }
        }
    }

    /** Returns noise, a request, or a control packet for the transfer that sent a segment. */
    MadFrame next(@Nullable MadFrame segment) {
        int kind = random.nextInt(16);
        if (kind == 0) {
            return new MadFrame(peer(), noise(), random.nextInt(8) == 0);
        }
        if (kind < 6 && segment != null) {
            return controlPacket(segment);
        }
        byte[] mad = request();
        if (random.nextInt(4) != 0) {
            mad = mutate(mad);
        }
        return new MadFrame(peer(), mad, random.nextInt(256) == 0);
    }

    private MadAddress peer() {
        int lid = random.nextInt(32) == 0
                ? random.nextInt(0x10000)
                : random.nextInt(8) == 0 ? torus.switchLid(random.nextInt(9)) : torus.hostLid(random.nextInt(9));
        return new MadAddress(lid, random.nextInt(8) == 0 ? random.nextInt(0x1000000) : 1, random.nextInt(16), 0);
    }

    private byte[] noise() {
        byte[] mad = new byte[random.nextInt(4) == 0 ? random.nextInt(600) : MadHeader.MAD_SIZE];
        random.nextBytes(mad);
        if (mad.length >= SaMad.DATA_OFFSET && random.nextBoolean()) {
            MadHeader.MGMT_CLASS.set(mad, 0, MgmtClass.SUBN_ADM);
            SaMad.SM_KEY.set(mad, 0, 0);
        }
        return mad;
    }

    /** Returns a request for a served attribute, with a record of an earlier answer if there was one. */
    private byte[] request() {
        int attribute = attributes.get(random.nextInt(attributes.size()));
        int method = METHODS[random.nextInt(METHODS.length)];
        byte[] mad = SaMad.request(method, random.nextInt(64), attribute, 0, mask());
        List<byte[]> known = records.getOrDefault(attribute, List.of());
        if (known.isEmpty() || random.nextInt(8) == 0) {
            for (int at = SaMad.DATA_OFFSET; at < SaMad.DATA_OFFSET + 112; at++) {
                mad[at] = (byte) (random.nextBoolean() ? 0 : random.nextInt());
            }
        } else {
            byte[] record = known.get(random.nextInt(known.size()));
            System.arraycopy(record, 0, mad, SaMad.DATA_OFFSET, record.length);
        }
        if (random.nextInt(4) == 0) {
            int at = SaMad.DATA_OFFSET + Long.BYTES * random.nextInt(6);
            new Gid(SmallTorus.PREFIX, SmallTorus.hostGuid(random.nextInt(9)) + 1).write(mad, at);
        }
        SaMad.SM_KEY.set(mad, 0, random.nextInt(4) == 0 ? SaHarness.SM_KEY : 0);
        return mad;
    }

    /**
     * Returns the correct segments of a request for paths between hosts; the last GIDs may exceed the given
     * counts.
     */
    List<MadFrame> segmented() {
        int gids = 12 + random.nextInt(40);
        byte[] all = new byte[FIRST_GID + GID_BYTES * gids];
        MultiPathRecord.SGID_COUNT.set(all, 0, 1 + random.nextInt(6));
        MultiPathRecord.DGID_COUNT.set(all, 0, 1 + random.nextInt(6));
        for (int i = 0; i < gids; i++) {
            new Gid(SmallTorus.PREFIX, SmallTorus.hostGuid(random.nextInt(9)) + 1)
                    .write(all, FIRST_GID + GID_BYTES * i);
        }
        long mask = MultiPathRecord.COMPONENTS.bit(MultiPathRecord.SGID_COUNT)
                | MultiPathRecord.COMPONENTS.bit(MultiPathRecord.DGID_COUNT)
                | (random.nextInt(4) == 0 ? mask() : 0);
        int tid = random.nextInt(64);
        MadAddress peer = peer();
        int last = (all.length + SaMad.DATA_SIZE - 1) / SaMad.DATA_SIZE;
        List<MadFrame> segments = new ArrayList<>();
        for (int number = 1; number <= last; number++) {
            int from = (number - 1) * SaMad.DATA_SIZE;
            int length = Math.min(SaMad.DATA_SIZE, all.length - from);
            byte[] mad = SaMad.request(Method.GET_MULTI, tid, MULTI_PATH_RECORD, 0, mask);
            System.arraycopy(all, from, mad, SaMad.DATA_OFFSET, length);
            SaMad.RMPP_VERSION.set(mad, 0, Rmpp.VERSION);
            SaMad.RMPP_TYPE.set(mad, 0, Rmpp.DATA);
            SaMad.RMPP_FLAGS.set(
                    mad,
                    0,
                    SaMad.FLAG_ACTIVE | (number == 1 ? SaMad.FLAG_FIRST : 0) | (number == last ? SaMad.FLAG_LAST : 0));
            SaMad.DATA1.set(mad, 0, number);
            SaMad.DATA2.set(
                    mad,
                    0,
                    number == 1 ? all.length + (long) last * SA_HEADER : number == last ? length + SA_HEADER : 0);
            segments.add(new MadFrame(peer, mad));
        }
        return segments;
    }

    private long mask() {
        return switch (random.nextInt(6)) {
            case 0 -> 0;
            case 1 -> 1L << random.nextInt(64);
            case 2 -> 7L << random.nextInt(22);
            case 3 -> random.nextLong();
            case 4 -> random.nextInt(1 << 24);
            default -> -1;
        };
    }

    private byte[] mutate(byte[] mad) {
        byte[] changed = mad;
        switch (random.nextInt(10)) {
            case 0 -> changed = Arrays.copyOf(mad, random.nextInt(MadHeader.MAD_SIZE));
            case 1 -> changed = Arrays.copyOf(mad, MadHeader.MAD_SIZE + random.nextInt(1000));
            case 2 -> MadHeader.BASE_VERSION.set(mad, 0, random.nextInt(4));
            case 3 -> MadHeader.CLASS_VERSION.set(mad, 0, random.nextInt(4));
            case 4 -> MadHeader.METHOD.set(mad, 0, random.nextInt(256));
            case 5 -> MadHeader.ATTRIBUTE_ID.set(mad, 0, random.nextInt(2) == 0 ? random.nextInt(0x10000) : 0x38);
            case 6 -> SaMad.SM_KEY.set(mad, 0, random.nextLong());
            case 7 -> MadHeader.ATTRIBUTE_MODIFIER.set(mad, 0, random.nextInt() & 0xffffffffL);
            case 8 -> rmpp(mad, random.nextInt(6), random.nextInt(8), random.nextInt(3), 1 + random.nextInt(3));
            default -> {
                for (int n = 1 + random.nextInt(8); n > 0; n--) {
                    int at = random.nextInt(mad.length);
                    mad[at] = (byte) (mad[at] ^ 1 << random.nextInt(8));
                }
            }
        }
        return changed;
    }

    private void rmpp(byte[] mad, int type, int flags, long data1, long data2) {
        SaMad.RMPP_VERSION.set(mad, 0, random.nextInt(32) == 0 ? random.nextInt(256) : Rmpp.VERSION);
        SaMad.RMPP_TYPE.set(mad, 0, type);
        SaMad.RMPP_FLAGS.set(mad, 0, flags);
        SaMad.RMPP_STATUS.set(mad, 0, random.nextInt(32) == 0 ? random.nextInt(256) : 0);
        SaMad.DATA1.set(mad, 0, data1);
        SaMad.DATA2.set(mad, 0, data2);
    }

    /** Returns ACK, STOP, ABORT or an invalid packet for the transfer that sent last, or nearly for it. */
    private MadFrame controlPacket(MadFrame segment) {
        byte[] mad = segment.mad().clone();
        if (random.nextInt(4) != 0) {
            MadHeader.METHOD.set(mad, 0, MadHeader.method(mad) & ~Method.RESPONSE);
        }
        if (random.nextInt(8) == 0) {
            mad[15] = (byte) random.nextInt(64);
        }
        long at = SaMad.DATA1.get(mad, 0);
        long acknowledged = random.nextInt(4) == 0 ? near(at) : at;
        long window = random.nextInt(4) == 0 ? near(acknowledged) : acknowledged + random.nextInt(8);
        int type = random.nextInt(8) == 0 ? random.nextInt(8) : Rmpp.ACK;
        rmpp(mad, type, SaMad.FLAG_ACTIVE, acknowledged & 0xffffffffL, window & 0xffffffffL);
        MadAddress peer = random.nextInt(16) == 0 ? peer() : segment.peer();
        return new MadFrame(peer, mad, random.nextInt(64) == 0);
    }

    private long near(long value) {
        return switch (random.nextInt(4)) {
            case 0 -> value - random.nextInt(3);
            case 1 -> value + random.nextInt(3);
            case 2 -> random.nextInt();
            default -> random.nextInt(100);
        };
    }
}
