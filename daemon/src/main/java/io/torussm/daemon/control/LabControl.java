package io.torussm.daemon.control;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/**
 * The operations on a fabric that {@code torus-sm fabric} serves, for any client of operators. Any thread.
 */
public interface LabControl {
    /** Returns the state at one moment. */
    CompletionStage<State> state();

    /**
     * Executes a line of the console.
     *
     * @param user user who sent it
     */
    CompletionStage<Response> execute(String line, String user);

    /**
     * Begins a script of faults.
     *
     * @param name name for display
     * @return errors of the script if it was not begun
     */
    CompletionStage<Response> begin(String name, String text, String user);

    /** Checks whether a line of the console only reads, so that any client may send it. */
    boolean isReadOnly(String line);

    /**
     * A response.
     *
     * @param lines lines for display
     * @param isGood true if the request succeeded
     */
    record Response(List<String> lines, boolean isGood) {
        /** Copies the list. */
        public Response {
            lines = List.copyOf(lines);
        }
    }

    /**
     * The state of a fabric at one moment.
     *
     * @param uptimeS seconds since power-up
     * @param broken current faults
     * @param coming next actions of scripts, the soonest first; the first few
     * @param done last executed lines, the newest last
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
