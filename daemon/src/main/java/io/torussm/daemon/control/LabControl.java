package io.torussm.daemon.control;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/** What operators see of a fabric that {@code torus-sm fabric} serves, and do to it, whatever they use. Any thread. */
public interface LabControl {
    /** All there is to see, at one moment. */
    CompletionStage<State> state();

    /**
     * Carries out a line of the console.
     *
     * @param user who asks for it
     */
    CompletionStage<Said> say(String line, String user);

    /**
     * Begins a script of faults.
     *
     * @param name for people
     * @return what is wrong with it if it was not begun
     */
    CompletionStage<Said> begin(String name, String text, String user);

    /** Whether a line only looks. */
    boolean isLook(String line);

    /**
     * An answer.
     *
     * @param lines for people
     * @param isGood whether what was asked for was done
     */
    record Said(List<String> lines, boolean isGood) {
        /** Copies the list. */
        public Said {
            lines = List.copyOf(lines);
        }
    }

    /**
     * A fabric at one moment.
     *
     * @param uptimeS since power was switched on
     * @param broken what is broken now
     * @param coming what scripts will do next, the soonest first; the first few
     * @param done the last lines that were carried out, the newest last
     * @param mads counters of the fabric by name
     * @param server counters of the server by name
     */
    record State(
            double uptimeS,
            int switches,
            int hosts,
            List<Broken> broken,
            List<Coming> coming,
            List<Done> done,
            List<Client> clients,
            Traffic traffic,
            Map<String, Long> mads,
            Map<String, Long> server) {}

    /** Something that is broken. */
    record Broken(String kind, String subject, String detail, double sinceS) {}

    /** A line that a script will carry out; {@code where} is its file and line. */
    record Coming(double inS, String line, String where) {}

    /** A line that was carried out, or was not. */
    record Done(double agoS, String who, String line, boolean isGood, String answer) {}

    /** A program at a port. */
    record Client(
            int id,
            String address,
            String port,
            String portGuid,
            boolean isSm,
            long received,
            long sent,
            long dropped,
            long returned) {}

    /** Packets of all hosts to all; {@code lost} by reason. */
    record Traffic(int rate, long sent, long arrived, long unsent, Map<String, Long> lost, List<Loss> last) {}

    /** A packet that was lost. */
    record Loss(double agoS, String reason, String from, int dlid, String where) {}
}
