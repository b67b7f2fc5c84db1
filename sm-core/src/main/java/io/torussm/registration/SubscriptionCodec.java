package io.torussm.registration;

import io.torussm.mad.Gid;
import io.torussm.mad.Guid;
import io.torussm.mad.sa.InformInfo;
import io.torussm.report.Subscription;
import io.torussm.report.Subscriptions;
import io.torussm.state.StateFile;
import io.torussm.transport.GlobalRoute;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The format of event subscriptions in the file {@code sa-informs}. A line has the GUID of the subscribing port, the
 * number of the subscription, whether the request had the SM_Key, and all bytes of InformInfo, including the QPN. If
 * the request had a global route header, GID, GID index, hop limit, traffic class and flow label follow.
 *
 * <pre>
 * inform 0x0000000100000001 0 untrusted 0000000000000000000000...
 * inform 0x0000000100000001 0 untrusted 0000000000000000000000... fe80000000000000:0000000100000011 0 1 0 0
 * </pre>
 */
final class SubscriptionCodec implements StateFile.Parser<List<Subscription>> {
    static final StateFile FILE =
            StateFile.of("sa-informs", 1, 32L << 20, "hosts are asked to subscribe to events again");

    private static final int WORDS = 5;
    private static final int WORDS_WITH_ROUTE = 10;
    private static final String TRUSTED = "trusted";
    private static final String UNTRUSTED = "untrusted";

    private final List<Subscription> all = new ArrayList<>();

    /** Returns the line of a subscription. */
    static String of(Subscription subscription) {
        return "inform " + Guid.format(subscription.subscriber().portGuid()) + ' ' + subscription.number() + ' '
                + (subscription.isTrusted() ? TRUSTED : UNTRUSTED) + ' '
                + HexFormat.of().formatHex(subscription.informInfo().toBytes())
                + route(subscription.subscriber().grh());
    }

    private static String route(@Nullable GlobalRoute grh) {
        return grh == null
                ? ""
                : ' '
                        + HexFormat.of().toHexDigits(grh.gid().prefix())
                        + ':'
                        + HexFormat.of().toHexDigits(grh.gid().guid())
                        + ' '
                        + grh.gidIndex()
                        + ' '
                        + grh.hopLimit()
                        + ' '
                        + grh.trafficClass()
                        + ' '
                        + grh.flowLabel();
    }

    private static @Nullable GlobalRoute route(String[] words) {
        if (words.length == WORDS) {
            return null;
        }
        String[] gid = words[WORDS].split(":", -1);
        if (gid.length != 2) {
            throw new IllegalArgumentException("expected a GID as prefix:guid, not " + words[WORDS]);
        }
        return new GlobalRoute(
                new Gid(Long.parseUnsignedLong(gid[0], 16), Long.parseUnsignedLong(gid[1], 16)),
                Integer.parseInt(words[WORDS + 1]),
                Integer.parseInt(words[WORDS + 2]),
                Integer.parseInt(words[WORDS + 3]),
                Integer.parseInt(words[WORDS + 4]));
    }

    @Override
    public String parseLine(String line) {
        String[] words = line.split(" ", -1);
        int size = InformInfo.TYPE.layout().size();
        boolean isWhole = words.length == WORDS || words.length == WORDS_WITH_ROUTE;
        if (!isWhole || !words[0].equals("inform") || words[4].length() != 2 * size) {
            return "expected inform, a port GUID, a number, trusted or not, and InformInfo of " + size + " bytes";
        }
        if (all.size() == Subscriptions.MAX_SUBSCRIPTIONS) {
            return "more than " + Subscriptions.MAX_SUBSCRIPTIONS + " subscriptions";
        }
        try {
            int number = Integer.parseInt(words[2]);
            InformInfo wants = InformInfo.TYPE.read(HexFormat.of().parseHex(words[4]), 0);
            Subscription.Subscriber subscriber =
                    new Subscription.Subscriber(Guid.parse(words[1]), (int) wants.get(InformInfo.QPN), route(words));
            all.add(new Subscription(subscriber, number, words[3].equals(TRUSTED), wants));
            return problem(number, words[3], wants);
        } catch (IllegalArgumentException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private static String problem(int number, String trust, InformInfo wants) {
        if (number < 0 || number > Subscription.MAX_NUMBER) {
            return "the number is out of range";
        }
        if (wants.get(InformInfo.SUBSCRIBE) != 1) {
            return "this is no subscription";
        }
        return trust.equals(TRUSTED) || trust.equals(UNTRUSTED) ? "" : "expected trusted or untrusted";
    }

    @Override
    public List<Subscription> value() {
        return List.copyOf(all);
    }
}
