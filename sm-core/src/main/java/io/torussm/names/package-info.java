/**
 * The operator's names and locations of nodes. {@link io.torussm.names.NodeNames} is the node name map that
 * infiniband-diags and OpenSM read too, and {@link io.torussm.names.SiteMap} lists racks and labels of
 * cables. Both are read from files of lines; {@link io.torussm.names.Names} combines them.
 *
 * <p>A name is chosen in one place, {@link io.torussm.names.Names#of}, which fabrics call
 * ({@code Fabric.nodeName}). A fabric contains the names that were active when its discovery began, so all
 * texts about it agree. NodeDescriptions stay unchanged, since the SA has to return them and state files
 * outlive a name map.
 *
 * <p>Immutable values, any thread, no I/O. A look-up costs one search in a hash table; 49,151 names of 64
 * characters are 10 MiB. Not supported: names of ports, and names by SystemImageGUID.
 */
@NullMarked
package io.torussm.names;

import org.jspecify.annotations.NullMarked;
