package io.torussm.daemon.http.api;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.torussm.daemon.access.Role;
import io.torussm.daemon.control.SmControl;
import io.torussm.daemon.http.Operation;
import io.torussm.daemon.http.Operation.Done;
import io.torussm.daemon.http.Operation.Nothing;
import io.torussm.daemon.http.Reply;
import io.torussm.daemon.http.ufm.UfmPKeys;
import io.torussm.daemon.http.ufm.UfmPaths;
import io.torussm.mad.Guid;
import io.torussm.mad.sa.Rates;
import io.torussm.partition.Membership;
import io.torussm.partition.RunTimeChange;
import io.torussm.partition.RunTimeOutcome;
import io.torussm.partition.RunTimePartition;
import io.torussm.partition.RunTimePartition.Member;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The changes of partitions, under the addresses of UFM and under {@link Resources#ROOT}. The reply is sent when the
 * P_Key tables of all ports concerned are confirmed. Clients of UFM expect status 200 then, and repeat the request
 * after any other status.
 * Owner thread: {@code https-change}.
 */
public final class PartitionOperations {
    private static final String PKEYS = UfmPaths.ROOT + "resources/pkeys";
    private static final String OWN = Resources.ROOT + "partitions";
    private static final int MAX_P_KEY = 0x7fff;
    private static final Map<Integer, Integer> MTU_OF_KB = Map.of(1, 3, 2, 4, 4, 5);

    private final SmControl control;

    public PartitionOperations(SmControl control) {
        this.control = control;
    }

    public List<Operation<?>> all() {
        return List.of(
                new Operation<>("POST", PKEYS, Role.ADMIN, "add members to a P_Key", UfmPKeys.Members.class, this::add),
                new Operation<>(
                        "POST",
                        PKEYS + "/add",
                        Role.ADMIN,
                        "make a P_Key without members",
                        UfmPKeys.Members.class,
                        this::make),
                new Operation<>(
                        "PUT",
                        PKEYS,
                        Role.ADMIN,
                        "give a P_Key these members only",
                        UfmPKeys.Members.class,
                        this::replace),
                new Operation<>(
                        "PUT",
                        PKEYS + "/qos_conf",
                        Role.ADMIN,
                        "set MTU, SL and rate of a P_Key",
                        UfmPKeys.Qos.class,
                        this::qos),
                new Operation<>(
                        "POST",
                        PKEYS + "/qos_conf",
                        Role.ADMIN,
                        "set MTU, SL and rate of a P_Key",
                        UfmPKeys.Qos.class,
                        this::qos),
                new Operation<>(
                        "DELETE",
                        PKEYS + "/{pkey}",
                        Role.ADMIN,
                        "remove a P_Key",
                        Nothing.class,
                        (user, parts, body) -> delete(user, parts)),
                new Operation<>(
                        "DELETE",
                        PKEYS + "/{pkey}/guids/{guids}",
                        Role.ADMIN,
                        "remove members of a P_Key, separated by commas",
                        Nothing.class,
                        (user, parts, body) -> remove(user, parts)),
                new Operation<>(
                        "POST",
                        UfmPaths.ROOT + "actions/remove_guids_from_pkey",
                        Role.ADMIN,
                        "remove members of a P_Key",
                        UfmPKeys.Removal.class,
                        (user, parts, body) ->
                                change(user, new RunTimeChange.Remove(pKey(body.pkey()), guids(body.guids())), true)),
                new Operation<>(
                        "POST",
                        OWN,
                        Role.ADMIN,
                        "add members to a partition, or make one",
                        UfmPKeys.Members.class,
                        this::add),
                new Operation<>(
                        "DELETE",
                        OWN + "/{pkey}",
                        Role.ADMIN,
                        "remove members that were added to a partition at run time",
                        Nothing.class,
                        (user, parts, body) -> delete(user, parts)),
                new Operation<>(
                        "DELETE",
                        OWN + "/{pkey}/members/{guids}",
                        Role.ADMIN,
                        "remove members that were added at run time, separated by commas",
                        Nothing.class,
                        (user, parts, body) -> remove(user, parts)));
    }

    private CompletionStage<Reply> add(String user, List<String> parts, UfmPKeys.Members body) {
        return change(
                user,
                new RunTimeChange.Add(pKey(body.pkey()), name(body), isIpoib(body), qosOf(body), members(body)),
                false);
    }

    private CompletionStage<Reply> make(String user, List<String> parts, UfmPKeys.Members body) {
        return change(
                user,
                new RunTimeChange.Add(pKey(body.pkey()), name(body), isIpoib(body), qosOf(body), Map.of()),
                false);
    }

    private CompletionStage<Reply> replace(String user, List<String> parts, UfmPKeys.Members body) {
        return change(
                user,
                new RunTimeChange.Replace(pKey(body.pkey()), name(body), isIpoib(body), qosOf(body), members(body)),
                false);
    }

    private CompletionStage<Reply> qos(String user, List<String> parts, UfmPKeys.Qos body) {
        RunTimePartition.Qos qos = qosOf(body.mtuLimit(), body.serviceLevel(), body.rateLimit());
        if (qos == null) {
            throw new IllegalArgumentException("wanted: mtu_limit, service_level or rate_limit");
        }
        return change(user, new RunTimeChange.SetQos(pKey(body.pkey()), qos), false);
    }

    private CompletionStage<Reply> delete(String user, List<String> parts) {
        return change(user, new RunTimeChange.Delete(pKey(parts.get(0))), false);
    }

    private CompletionStage<Reply> remove(String user, List<String> parts) {
        List<String> guids = Arrays.asList(parts.get(1).split(",", -1));
        return change(user, new RunTimeChange.Remove(pKey(parts.get(0)), guids(guids)), true);
    }

    /**
     * @param isAbsentGood true if an absent P_Key counts as removed, since clients repeat a request until the status is
     * 200
     */
    private CompletionStage<Reply> change(String user, RunTimeChange change, boolean isAbsentGood) {
        return control.changePartitions(new RunTimeChange.Request(change, "api:" + user, false))
                .thenApply(outcome -> reply(outcome, isAbsentGood));
    }

    private static Reply reply(RunTimeOutcome outcome, boolean isAbsentGood) {
        boolean isGood = outcome.isDone() || (isAbsentGood && outcome.kind() == RunTimeOutcome.ChangeStatus.ABSENT);
        if (isGood) {
            return Reply.ok(new Done(outcome.text()));
        }
        return Reply.text(
                switch (outcome.kind()) {
                    case INVALID -> HttpResponseStatus.BAD_REQUEST;
                    case ABSENT -> HttpResponseStatus.NOT_FOUND;
                    case GIVEN_BY_FILE, TOO_LARGE, NO_ROOM -> HttpResponseStatus.CONFLICT;
                    case DONE -> HttpResponseStatus.OK;
                    case UNCONFIRMED, BUSY, NOT_MASTER, NO_SUBNET, NOT_KEPT, ENDED ->
                        HttpResponseStatus.SERVICE_UNAVAILABLE;
                },
                outcome.text());
    }

    private static int pKey(@Nullable String text) {
        int pKey = text != null && text.matches("0[xX][0-9a-fA-F]{1,4}") ? Integer.parseInt(text.substring(2), 16) : 0;
        if (pKey < 1 || pKey > MAX_P_KEY) {
            throw new IllegalArgumentException("pkey is a number from 0x1 to 0x7fff");
        }
        return pKey;
    }

    private static String name(UfmPKeys.Members body) {
        String name = body.partitionName();
        return name == null ? "" : name;
    }

    private static boolean isIpoib(UfmPKeys.Members body) {
        return body.ipOverIb() == null || body.ipOverIb();
    }

    private static Map<Long, Member> members(UfmPKeys.Members body) {
        List<String> guids = body.guids();
        List<String> memberships = body.memberships();
        if (guids == null || guids.isEmpty()) {
            throw new IllegalArgumentException("guids is a list of port GUIDs");
        }
        if (memberships != null && (memberships.size() != guids.size() || body.membership() != null)) {
            throw new IllegalArgumentException(
                    "memberships has one for each of guids, and then there is no membership");
        }
        boolean isAtIndex0 = body.index0() != null && body.index0();
        Map<Long, Member> members = new HashMap<>();
        for (int i = 0; i < guids.size(); i++) {
            Membership membership = membership(memberships == null ? body.membership() : memberships.get(i));
            members.put(guid(guids.get(i)), new Member(membership, isAtIndex0));
        }
        return members;
    }

    private static Membership membership(@Nullable String word) {
        if (word == null || word.equals(Membership.FULL.word())) {
            return Membership.FULL;
        } else if (word.equals(Membership.LIMITED.word())) {
            return Membership.LIMITED;
        }
        throw new IllegalArgumentException("a membership is full or limited");
    }

    private static Set<Long> guids(@Nullable List<String> texts) {
        if (texts == null || texts.isEmpty()) {
            throw new IllegalArgumentException("guids is a list of port GUIDs");
        }
        Set<Long> guids = new LinkedHashSet<>();
        texts.forEach(text -> guids.add(guid(text)));
        return guids;
    }

    /** Parses a GUID. As in UFM, it may begin with 0x and may contain colons. */
    private static long guid(@Nullable String text) {
        String digits = text == null ? "" : text.replaceFirst("^0[xX]", "").replace(":", "");
        if (!digits.matches("[0-9a-fA-F]{16}")) {
            throw new IllegalArgumentException("a GUID has 16 hexadecimal digits");
        }
        return Guid.parse("0x" + digits);
    }

    private static RunTimePartition.@Nullable Qos qosOf(UfmPKeys.Members body) {
        return qosOf(body.mtuLimit(), body.serviceLevel(), body.rateLimit());
    }

    /**
     * Returns the QoS of a request; null if the request has none of the values. A value that is left out gets its
     * default, as UFM documents it for pkeys/add. Otherwise clients that omit zeros could not set SL 0.
     */
    private static RunTimePartition.@Nullable Qos qosOf(
            @Nullable Integer mtu, @Nullable Integer sl, @Nullable Double rate) {
        if (mtu == null && sl == null && rate == null) {
            return null;
        }
        RunTimePartition.Qos defaults = RunTimePartition.Qos.DEFAULT;
        Integer code = mtu == null ? Integer.valueOf(defaults.mtu()) : MTU_OF_KB.get(mtu);
        if (code == null) {
            throw new IllegalArgumentException("mtu_limit is 1, 2 or 4 (KB)");
        }
        if (sl != null && (sl < 0 || sl > 15)) {
            throw new IllegalArgumentException("service_level is 0 to 15");
        }
        OptionalInt rateCode = rate == null
                ? OptionalInt.of(defaults.rate())
                : Rates.ofGigabits(BigDecimal.valueOf(rate).stripTrailingZeros().toPlainString());
        return new RunTimePartition.Qos(
                code,
                rateCode.orElseThrow(() -> new IllegalArgumentException("rate_limit is a rate of InfiniBand in Gb/s")),
                sl == null ? defaults.sl() : sl);
    }
}
