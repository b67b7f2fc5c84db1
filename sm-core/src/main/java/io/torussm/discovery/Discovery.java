package io.torussm.discovery;

import io.torussm.fabric.Fabric;
import io.torussm.mastership.DiscoveredSm;
import io.torussm.mastership.SilentSm;
import io.torussm.names.Names;
import io.torussm.stage.Phase;
import io.torussm.stage.Stage;
import io.torussm.stage.StageContext;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads the fabric by directed routes, all of it or only what is around some switches. One use. Owner thread: the loop. */
public final class Discovery implements Stage<Discovery.Input, Discovery.Result> {
    /** What is to be done about a GUID that two devices have. */
    static final String REMEDY = "unplug it, or give it GUIDs of its own";

    private @Nullable Exploration exploration;

    /**
     * What is to be read.
     *
     * @param last the fabric as it was read last, by which answers are judged; null if it never was
     * @param isWhole whether the whole fabric is to be read, and not only some switches of the last one
     * @param changed NodeGUIDs of switches of the known fabric that are to be read again, with what they lead to
     * @param silent what devices did not tell the last time; they get no second chance to tell it
     * @param names what the operator calls nodes
     */
    public record Input(
            @Nullable Fabric last,
            boolean isWhole,
            Collection<Long> changed,
            Collection<Unanswered> silent,
            Names names) {
        /** The whole fabric. */
        public static Input all(@Nullable Fabric last, Collection<Unanswered> silent, Names names) {
            return new Input(last, true, List.of(), silent, names);
        }

        /** The fabric of which only a part is read; null if all of it is. */
        @Nullable
        Fabric known() {
            return isWhole ? null : last;
        }

        /** Some switches of a fabric, whose names stay. */
        public static Input around(Fabric known, Collection<Long> changed, Collection<Unanswered> silent) {
            return new Input(known, false, changed, silent, known.names());
        }
    }

    /**
     * What was found.
     *
     * @param fabric null if there is nothing beyond this port: it does not answer, or its link is down; or if a switch that
     *     was to be read again is not where it was any more
     * @param silentSms of ports that say that they have an SM, which does not answer
     * @param silent what devices did not tell, once for each attribute; should one answer later, the fabric is not what it
     *     was
     * @param read NodeGUIDs of switches that answered with their SwitchInfo, and whether it says that a port changed
     * @param problem why there is no fabric
     */
    public record Result(
            @Nullable Fabric fabric,
            List<DiscoveredSm> remoteSms,
            List<SilentSm> silentSms,
            List<Unanswered> silent,
            Map<Long, Boolean> read,
            String problem) {}

    @Override
    public Phase phase() {
        return Phase.DISCOVER;
    }

    @Override
    public void start(StageContext context, Input input, Consumer<Result> then) {
        Fabric known = input.known();
        SecondLook secondLook = new SecondLook(context, input);
        exploration = known == null
                ? Exploration.ofAll(context, secondLook, input.last(), input.names(), then)
                : Exploration.around(context, secondLook, known, input.changed(), then);
    }

    /**
     * A switch says that a port of it changed.
     *
     * @return whether this discovery will see it, because it has not read the switch yet
     */
    public boolean notice(long switchGuid) {
        return exploration != null && exploration.notice(switchGuid);
    }
}
