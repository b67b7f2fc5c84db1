package io.torussm.sa;

import io.torussm.alias.AliasGuids;
import io.torussm.alias.AliasTable;
import io.torussm.mad.Field;
import io.torussm.mad.Gid;
import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.sa.ComponentMask;
import io.torussm.mad.sa.SaMad;
import io.torussm.mad.smp.SmInfo;
import io.torussm.multicast.MembershipService;
import io.torussm.multicast.MulticastGroups;
import io.torussm.paths.PathService;
import io.torussm.registration.Registrations;
import io.torussm.registration.Services;
import io.torussm.report.Subscriptions;
import io.torussm.sa.query.IndexedViews;
import io.torussm.sim.VirtualLoop;
import io.torussm.testing.ViewDraft;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import io.torussm.transport.rmpp.Rmpp;
import io.torussm.transport.rmpp.RmppReceiver;
import io.torussm.transport.rmpp.RmppSender;
import io.torussm.view.PublishedView;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An SA on {@link SmallTorus}, and a requester at host 4 that receives tables by RMPP. Hosts 0 to 2 have SMs, and alias
 * GUIDs 0x300 to 0x302 at index 3. MADs and timers run in virtual time.
 */
final class SaHarness {
    static final long SM_KEY = 0x0123_4567_89ab_cdefL;
    static final int MAX_TABLE_BYTES = 1 << 20;

    private static final RmppReceiver.Limits TABLES =
            new RmppReceiver.Limits(64, 10_000, 120_000, 5_000, 256, 256, MAX_TABLE_BYTES, 16L << 20, 4096);

    final VirtualLoop loop = new VirtualLoop();

    /** MADs of the SA since the last {@link Request#frames}. */
    final List<MadFrame> sent = new ArrayList<>();

    final MembershipService memberships;
    final Services services = new Services(loop);
    final Subscriptions subscriptions = new Subscriptions(loop);
    final AliasGuids aliases = new AliasGuids(loop, () -> 0x77);
    final PathService paths;
    final SubnetAdministrator sa;

    final List<SmInfo> subnetManagers = new ArrayList<>();

    /** The view from which the SA answers; null before the first sweep. */
    @Nullable
    PublishedView view;

    MadAddress requester;
    Executor workers = Runnable::run;

    private final RmppReceiver receiver;
    private final List<byte[]> tables = new ArrayList<>();
    private long tid = 1;

    SaHarness(SmallTorus torus) {
        view = torus.view;
        giveAliases(torus);
        for (int host = 0; host < 3; host++) {
            subnetManagers.add(subnetManager(torus, host));
        }
        requester = new MadAddress(torus.hostLid(4), 1, 0, 0);
        memberships = new MembershipService(loop, new MulticastGroups(() -> ViewDraft.SUBNET_TIMEOUT, 100));
        memberships.adopt(new MulticastGroups.Conditions(true, 1024, 0x0101, SmallTorus.PREFIX), guid -> true);
        paths = new PathService(memberships);
        sa = administrator(
                this::send, task -> workers.execute(task), new SubnetAdministrator.Settings(SM_KEY, MAX_TABLE_BYTES));
        receiver = new RmppReceiver(loop, TABLES, lid -> lid, frame -> sa.onMad(frame), new RmppReceiver.Sink() {
            @Override
            public void received(MadFrame header, byte[] data) {
                tables.add(data);
            }

            @Override
            public void failed(MadAddress peer, long failed, int status) {
                throw new AssertionError("RMPP failed with status " + status);
            }
        });
    }

    /** Returns another SA with the same state. */
    SubnetAdministrator administrator(
            Consumer<MadFrame> out, Executor executor, SubnetAdministrator.Settings settings) {
        Registrations registrations = new Registrations(memberships, services, subscriptions, aliases);
        return new SubnetAdministrator(
                new IndexedViews(() -> view, aliases),
                AttributeHandlers.all(registrations, () -> subnetManagers, paths, loop::nowNs),
                out,
                executor,
                loop,
                settings);
    }

    /**
     * Returns the first MAD of the answer of an SA that computes a whole table before it sends.
     *
     * @param maxTableBytes limit of the records of a table, in bytes
     */
    byte[] answerOfWholeTable(int maxTableBytes, Request request) {
        List<MadFrame> answers = new ArrayList<>();
        SubnetAdministrator.Settings settings = new SubnetAdministrator.Settings(
                () -> SM_KEY, () -> true, maxTableBytes, RmppSender.Limits.DEFAULT, RmppSender.Segmenter.KERNEL);
        administrator(answers::add, Runnable::run, settings).onMad(new MadFrame(requester, request.mad));
        loop.runFor(0);
        return answers.get(0).mad();
    }

    /** Returns an SM at a host; each value but the state is unique. */
    static SmInfo subnetManager(SmallTorus torus, int host) {
        return SmInfo.TYPE
                .zero()
                .with(SmInfo.GUID, torus.fabric.portGuid(torus.hostPort(host)))
                .with(SmInfo.SM_KEY, SM_KEY + host)
                .with(SmInfo.ACT_COUNT, 0xffff_fff0L + host)
                .with(SmInfo.PRIORITY, 15 - host)
                .with(SmInfo.SM_STATE, host == 0 ? SmInfo.MASTER : SmInfo.STANDBY);
    }

    private void giveAliases(SmallTorus torus) {
        Map<AliasTable.Place, Long> guids = new HashMap<>();
        for (int host = 0; host < 3; host++) {
            guids.put(new AliasTable.Place(torus.fabric.portGuid(torus.hostPort(host)), 3), 0x300L + host);
        }
        aliases.restore(new AliasTable(guids, Map.of(), Set.of()));
    }

    private void send(MadFrame frame) {
        sent.add(frame);
        if (Rmpp.isActive(frame.mad())) {
            receiver.receive(frame);
        }
    }

    /** A request under construction. */
    final class Request {
        final byte[] mad;

        Request(int method, int attributeId) {
            mad = SaMad.request(method, tid++, attributeId, 0, 0);
        }

        Request with(ComponentMask components, Field field, long value) {
            field.set(mad, SaMad.DATA_OFFSET, value);
            return select(components.bit(field));
        }

        Request with(ComponentMask components, Field field, Gid value) {
            value.write(mad, SaMad.DATA_OFFSET + field.offset() / 8);
            return select(components.bit(field));
        }

        Request with(ComponentMask components, Field field, String text) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            System.arraycopy(bytes, 0, mad, SaMad.DATA_OFFSET + field.offset() / 8, bytes.length);
            return select(components.bit(field));
        }

        /** Copies the value of a field from a record. */
        Request like(ComponentMask components, Field field, byte[] record) {
            for (int bit = field.offset(); bit < field.offset() + field.width(); bit++) {
                int mask = 0x80 >> bit % 8;
                int at = SaMad.DATA_OFFSET + bit / 8;
                mad[at] = (byte) (mad[at] & ~mask | record[bit / 8] & mask);
            }
            return select(components.bit(field));
        }

        /** Sets bits of the component mask. */
        Request select(long bits) {
            SaMad.COMPONENT_MASK.set(mad, 0, SaMad.COMPONENT_MASK.get(mad, 0) | bits);
            return this;
        }

        /** Sets a field of the header, without a bit of the component mask. */
        Request set(Field ofHeader, long value) {
            ofHeader.set(mad, 0, value);
            return this;
        }

        /** Returns all answers, without the acknowledgements of tables. */
        List<MadFrame> frames() {
            sent.clear();
            sa.onMad(new MadFrame(requester, mad));
            loop.runFor(TimeUnit.MILLISECONDS.toNanos(1));
            List<MadFrame> answers = List.copyOf(sent);
            sent.clear();
            return answers;
        }

        /** Returns the answer; there must be exactly one MAD. */
        byte[] answer() {
            List<MadFrame> frames = frames();
            if (frames.size() != 1) {
                throw new AssertionError(frames.size() + " answers");
            }
            return frames.get(0).mad();
        }

        int status() {
            return MadHeader.status(answer());
        }

        /** Returns the records of a table, each {@code size} bytes. */
        List<byte[]> records(int size) {
            tables.clear();
            List<MadFrame> frames = frames();
            if (tables.size() != 1) {
                throw new AssertionError("no table but " + frames);
            }
            byte[] data = tables.get(0);
            List<byte[]> records = new ArrayList<>();
            for (int at = 0; at < data.length; at += size) {
                records.add(Arrays.copyOfRange(data, at, at + size));
            }
            return records;
        }
    }

    Request get(int attributeId) {
        return new Request(Method.GET, attributeId);
    }

    /** Returns the status of the answer of {@link #answerOfWholeTable}. */
    int statusWithin(int maxTableBytes, Request request) {
        return MadHeader.status(answerOfWholeTable(maxTableBytes, request));
    }

    Request getTable(int attributeId) {
        return new Request(Method.GET_TABLE, attributeId);
    }

    Request request(int method, int attributeId) {
        return new Request(method, attributeId);
    }

    /** Returns the first record of an answer. */
    static byte[] record(byte[] answer, int size) {
        return Arrays.copyOfRange(answer, SaMad.DATA_OFFSET, SaMad.DATA_OFFSET + size);
    }
}
