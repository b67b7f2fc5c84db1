package io.torussm.sweep;

import io.torussm.mad.smp.DrPath;
import io.torussm.mastership.DiscoveredSm;
import io.torussm.mastership.MasterAuthority;
import io.torussm.mastership.SilentSm;
import java.util.ArrayList;
import java.util.List;

/** An SM that is DISCOVERING until a decision finds no other SM. */
final class Candidate implements MasterAuthority {
    /** The other SMs of each decision, those that answer and those that are silent. */
    final List<List<?>> found = new ArrayList<>();

    private boolean isMaster;

    @Override
    public boolean maySweep() {
        return true;
    }

    @Override
    public boolean isMaster() {
        return isMaster;
    }

    @Override
    public Decision decision(List<DiscoveredSm> others, List<SilentSm> silent, boolean isWhole) {
        List<Object> all = new ArrayList<>(others);
        all.addAll(silent);
        found.add(all);
        isMaster = all.isEmpty();
        return new Decision(isMaster, null);
    }

    @Override
    public void onPortDown(String reason) {}

    @Override
    public void onSmChange(DrPath path) {}
}
