package io.torussm.sim.model;

/**
 * A link that goes down when a given request arrives, and trains again. So it can go down between any two stages of a
 * sweep.
 *
 * @param portNum port of the device, from 1
 * @param attributeId attribute of the request, or {@link AgentProfile#ANY}
 * @param method method of the request, or {@link AgentProfile#ANY}
 * @param count ordinal of the request among all of this kind at all agents of the fabric, from 1
 * @param downNs time for which the link is down
 * @param pauseNs pause before requests are counted again; 0 if the link goes down once
 */
public record BouncingLink(int portNum, int attributeId, int method, int count, long downNs, long pauseNs) {
    /** Rejects values out of range. */
    public BouncingLink {
        if (portNum < 1 || count < 1 || downNs < 0 || pauseNs < 0) {
            throw new IllegalArgumentException("port and count are at least 1, times not negative: port " + portNum
                    + ", count " + count + ", down " + downNs + " ns, pause " + pauseNs + " ns");
        }
    }
}
