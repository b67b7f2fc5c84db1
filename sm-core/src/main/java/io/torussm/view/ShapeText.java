package io.torussm.view;

import io.torussm.tree.FabricShape;
import io.torussm.tree.FabricTree;
import java.util.List;

/** The text for the shape of a fabric, also if cables or switches are absent. */
public final class ShapeText {
    private ShapeText() {}

    /**
     * Returns the text for operators.
     *
     * @return text such as {@code a torus}, {@code irregular}, or {@code a hypercube (1 cable missing)} for a graph
     *     that has this shape only together with its lost cables
     */
    public static String of(PlacedSubnet found, Absences absences) {
        FabricTree tree = found.treeOrNew();
        List<List<Long>> lost = absences.cables().stream()
                .filter(cable -> isSwitch(cable.near()) && isSwitch(cable.far()))
                .map(cable -> List.of(cable.near().nodeGuid(), cable.far().nodeGuid()))
                .toList();
        if (tree.shape() != FabricShape.OTHER || lost.isEmpty()) {
            return tree.shape().text();
        }
        FabricShape wholeShape = tree.shapeWith(lost);
        return wholeShape == FabricShape.OTHER
                ? wholeShape.text()
                : wholeShape.text() + " (" + lost.size() + (lost.size() == 1 ? " cable" : " cables") + " missing)";
    }

    private static boolean isSwitch(LostCable.LostEnd end) {
        return end.isSwitch() && end.nodeGuid() != 0;
    }
}
