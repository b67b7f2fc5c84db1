package io.torussm.daemon.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.ConsoleAppender;
import org.slf4j.ILoggerFactory;
import org.slf4j.IMarkerFactory;
import org.slf4j.helpers.BasicMarkerFactory;
import org.slf4j.spi.MDCAdapter;
import org.slf4j.spi.SLF4JServiceProvider;

/**
 * The start configuration of Logback: warnings go to standard error until {@link LogSetup} applies the
 * operator's settings. It is equal to {@code logback.xml}, which tests and other programs with these classes use. But
 * it neither searches all jars for configurations nor parses XML, which would take a tenth of the time until the first
 * SMP.
 */
public final class LogProvider implements SLF4JServiceProvider {
    private static final String SLF4J_API = "2.0.99";

    private final LoggerContext context = new LoggerContext();
    private final IMarkerFactory markers = new BasicMarkerFactory();
    private final LogbackMDCAdapter diagnostics = new LogbackMDCAdapter();

    /** Creates a provider, for {@link org.slf4j.LoggerFactory}. */
    public LogProvider() {}

    /** Makes this class the provider of all loggers. To be called before the first logger is created. */
    public static void install() {
        System.setProperty("slf4j.provider", LogProvider.class.getName());
        System.setProperty("slf4j.internal.verbosity", "WARN"); // else SLF4J reports the provider on standard error
    }

    @Override
    public void initialize() {
        context.setName("default");
        context.setMDCAdapter(diagnostics);
        ConsoleAppender<ILoggingEvent> stderr = new ConsoleAppender<>();
        stderr.setContext(context);
        stderr.setName("stderr");
        stderr.setTarget("System.err");
        stderr.setEncoder(LogLine.encoder(LogLine.Head.PROGRAM));
        stderr.start();
        Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        root.setLevel(Level.WARN);
        root.addAppender(stderr);
        context.start();
    }

    @Override
    public ILoggerFactory getLoggerFactory() {
        return context;
    }

    @Override
    public IMarkerFactory getMarkerFactory() {
        return markers;
    }

    @Override
    public MDCAdapter getMDCAdapter() {
        return diagnostics;
    }

    @Override
    public String getRequestedApiVersion() {
        return SLF4J_API;
    }
}
