package io.torussm.registration;

import io.torussm.mad.Guid;
import io.torussm.mad.sa.InformInfo;
import io.torussm.report.Subscription;
import io.torussm.report.Subscriptions;
import io.torussm.state.StateFile;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * Event subscriptions in the file {@code sa-informs}: of each the port that subscribed, its number, whether it showed the
 * SM_Key, and InformInfo with all its bytes, the QPN among them.
 *
 * <pre>
 * inform 0x0000000100000001 0 untrusted 00000000000000000000000000000000ffff...
 * </pre>
 */
final class SubscriptionCodec implements StateFile.Parser<List<Subscription>> {
    static final StateFile FILE =
            new StateFile("sa-informs", 1, 32L << 20, false, false, "hosts are asked to subscribe to events again");

    private static final int WORDS = 5;
    private static final String TRUSTED = "trusted";
    private static final String UNTRUSTED = "untrusted";

    private final List<Subscription> all = new ArrayList<>();

    static String of(Subscription subscription) {
        return "inform " + Guid.format(subscription.subscriber().portGuid()) + ' ' + subscription.number() + ' '
                + (subscription.isTrusted() ? TRUSTED : UNTRUSTED) + ' '
                + HexFormat.of().formatHex(subscription.wants().toBytes());
    }

    @Override
    public String take(String line) {
        String[] words = line.split(" ", -1);
        int size = InformInfo.TYPE.layout().size();
        if (words.length != WORDS || !words[0].equals("inform") || words[4].length() != 2 * size) {
            return "expected inform, a port GUID, a number, trusted or not, and InformInfo of " + size + " bytes";
        }
        if (all.size() == Subscriptions.MAX) {
            return "more than " + Subscriptions.MAX + " subscriptions";
        }
        try {
            int number = Integer.parseInt(words[2]);
            InformInfo wants = InformInfo.TYPE.read(HexFormat.of().parseHex(words[4]), 0);
            Subscription.Subscriber subscriber =
                    new Subscription.Subscriber(Guid.parse(words[1]), (int) wants.get(InformInfo.QPN));
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
