package io.torussm.daemon.config.migration;

import java.util.List;

/**
 * The result of the conversion of an opensm.conf. Immutable.
 *
 * @param text text of the configuration file
 * @param holdsKeys whether the text contains a key, so that its readers must be restricted
 * @param files files to copy, which the text names or which this program reads by their default names
 * @param report lines of the report for the operator; with commands that copy the files, unless the caller copies them
 */
public record ConvertedConf(String text, boolean holdsKeys, List<CopiedFile> files, List<String> report) {
    public ConvertedConf {
        files = List.copyOf(files);
        report = List.copyOf(report);
    }
}
