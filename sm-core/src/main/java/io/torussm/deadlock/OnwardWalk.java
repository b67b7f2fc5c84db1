package io.torussm.deadlock;

import io.torussm.fabric.Fabric;
import java.util.Arrays;

/**
 * Follows packets on the trees of one destination, old and new, from where they leave the parts that lead to a change. From there on the way is
 * the same in both, so both are followed side by side, and only until the same packets arrive in both. What switches on the way send themselves
 * goes along: it often shows what is still seen there. Belongs to one task.
 */
final class OnwardWalk {
    private static final int NONE = Fabric.NONE;

    private final SameChannels same;
    private final TreePart old;
    private final TreePart now;
    private final TreePart.Sink oldSink;
    private final TreePart.Sink newSink;

    /** By switch of now: switches of the ways that forward to it and were not looked at yet. All zero between walks. */
    private final int[] pending;

    private final int[] queue;
    private int tail;

    /**
     * Ways on.
     *
     * @param old part of an old tree, and {@code now} of the new one, both walked up to where packets leave them
     */
    OnwardWalk(SameChannels same, TreePart old, TreePart now, TreePart.Sink oldSink, TreePart.Sink newSink) {
        this.same = same;
        this.old = old;
        this.now = now;
        this.oldSink = oldSink;
        this.newSink = newSink;
        pending = new int[same.is.switchCount];
        queue = new int[same.is.switchCount];
    }

    /** Follows; false if some packet of now does not get to its destination. */
    boolean walk() {
        for (int i = old.walked(); i < old.count(); i++) {
            takeIn(same.newSwitch[old.at(i)]);
        }
        takeUntilTheyMeet();
        int end = now.count();
        tail = 0;
        for (int i = now.walked(); i < end; i++) {
            int link = now.next(now.at(i));
            if (link != NONE && now.isInside(same.is.linkTo[link])) {
                pending[same.is.linkTo[link]]++;
            }
        }
        for (int i = now.walked(); i < end; i++) {
            if (pending[now.at(i)] == 0) {
                queue[tail++] = now.at(i);
            }
        }
        boolean isWhole = true;
        for (int head = 0; head < tail && isWhole; head++) {
            isWhole = follow(queue[head]);
        }
        for (int i = now.walked(); i < end; i++) {
            isWhole &= pending[now.at(i)] == 0;
        }
        return isWhole;
    }

    private void takeIn(int sw) {
        if (!now.isInside(sw)) {
            now.take(sw);
        }
    }

    /** Takes in one switch after the other of each way, until all are one. */
    private void takeUntilTheyMeet() {
        int apart = 0;
        for (int i = now.walked(); i < now.count(); i++) {
            queue[apart++] = now.at(i);
        }
        boolean isEndMet = false;
        while (apart > (isEndMet ? 0 : 1)) {
            int left = 0;
            for (int i = 0; i < apart; i++) {
                int link = now.next(queue[i]);
                isEndMet |= link == NONE;
                if (link != NONE && !now.isInside(same.is.linkTo[link])) {
                    now.take(same.is.linkTo[link]);
                    queue[left++] = same.is.linkTo[link];
                }
            }
            apart = left;
        }
    }

    /** Goes one switch on; false if packets are lost, or go in a circle. */
    private boolean follow(int sw) {
        int was = same.oldSwitch[sw];
        int link = now.next(sw);
        boolean isSame = isSame(was, sw);
        if (!isSame) {
            if (!old.isInside(was)) {
                old.take(was);
            }
            old.inject(was);
            now.inject(sw);
        }
        if (link == NONE) {
            return isSame || old.deliver(was, oldSink) && now.deliver(sw, newSink);
        }
        int to = same.is.linkTo[link];
        boolean isMet = now.isInside(to);
        if (!isSame) {
            takeIn(to);
            if (!old.isInside(same.oldSwitch[to])) {
                old.take(same.oldSwitch[to]);
            }
            old.forward(was, oldSink);
            now.forward(sw, newSink);
        }
        if (isMet && pending[to]-- == 0) {
            return false;
        } else if (isMet ? pending[to] == 0 : !isSame) {
            queue[tail++] = to;
        }
        return true;
    }

    /** Whether the same arrives at a switch in both trees; then that is forgotten. */
    private boolean isSame(int was, int sw) {
        int oldFirst = same.was.firstClass[was];
        int oldEnd = same.was.firstClass[was + 1];
        int first = same.is.firstClass[sw];
        int end = same.is.firstClass[sw + 1];
        boolean isSame =
                same.hasKeptOuts(sw) && Arrays.equals(old.arriving(), oldFirst, oldEnd, now.arriving(), first, end);
        if (isSame) {
            Arrays.fill(old.arriving(), oldFirst, oldEnd, (char) 0);
            Arrays.fill(now.arriving(), first, end, (char) 0);
        }
        return isSame;
    }
}
