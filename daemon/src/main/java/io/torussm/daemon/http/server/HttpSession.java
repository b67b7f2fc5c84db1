package io.torussm.daemon.http.server;

import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.CodecException;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.util.concurrent.ScheduledFuture;
import io.torussm.daemon.control.UnreadOutput;
import io.torussm.daemon.http.GetHandler;
import io.torussm.daemon.http.Reply;
import io.torussm.event.FatalErrors;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection. It handles one request at a time. Each request must arrive, and its reply must be read, within a
 * time-out. Owner thread: {@code http}.
 */
final class HttpSession extends SimpleChannelInboundHandler<HttpObject> {
    /** Maximum length of a request line, in bytes. */
    static final int MAX_LINE_BYTES = 2048;

    /** Maximum size of the headers of a request, in bytes. */
    static final int MAX_HEADER_BYTES = 8192;

    private static final int MAX_CHUNK_BYTES = 1024;
    private static final int SMALL_REPLY_BYTES = 1 << 16;
    private static final int TIMEOUT_S = 30;
    private static final Logger LOG = LoggerFactory.getLogger(HttpSession.class);
    private static final EventLog EVENTS = EventLog.of(HttpSession.class);

    /** The Content-Security-Policy of the page: only content of this server. */
    private static final String CONTENT_SECURITY_POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
                    + "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    private final GetHandler router;
    private final @Nullable EventStreams events;
    private final HostNames names;
    private final HttpAccess access;
    private final UnreadOutput outbox;
    private final ByteArrayOutputStream body = new ByteArrayOutputStream(0);
    private HttpAccess.@Nullable PermittedRequest permittedRequest;
    private @Nullable ScheduledFuture<?> requestTimeout;
    private boolean isBusy;
    private boolean isEnding;

    /** True if the connection closes after the reply to the current request. */
    private boolean isLast;

    /**
     * The common parts of all connections of a server.
     *
     * @param router source of replies
     * @param events event streams; null without a subnet manager
     * @param names accepted host names
     * @param access check of clients
     * @param outbox limit of unread replies
     */
    record Shared(
            GetHandler router,
            @Nullable EventStreams events,
            HostNames names,
            HttpAccess access,
            UnreadOutput outbox) {}

    private HttpSession(Shared shared) {
        this.router = shared.router();
        this.events = shared.events();
        this.names = shared.names();
        this.access = shared.access();
        this.outbox = shared.outbox();
    }

    /** Serves a connection. Returns a test that is true while a request of the connection is under way. */
    static BooleanSupplier install(Channel channel, Shared shared) {
        HttpSession session = new HttpSession(shared);
        channel.pipeline()
                .addLast(
                        new HttpServerCodec(new HttpDecoderConfig()
                                .setMaxInitialLineLength(MAX_LINE_BYTES)
                                .setMaxHeaderSize(MAX_HEADER_BYTES)
                                .setMaxChunkSize(MAX_CHUNK_BYTES)),
                        session);
        return () -> session.isBusy;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        startTimeout(context);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        cancelTimeout();
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, HttpObject part) {
        if (isEnding) {
            return;
        }
        if (part.decoderResult().isFailure()) {
            end(context, undecoded(part.decoderResult().cause()));
        } else if (part instanceof HttpRequest request) {
            receive(context, request);
        } else if (part instanceof HttpContent content) {
            receive(context, content);
        }
    }

    /** Takes a part of the body. Only a permitted request has a body. */
    private void receive(ChannelHandlerContext context, HttpContent content) {
        HttpAccess.PermittedRequest wanted = permittedRequest;
        int size = content.content().readableBytes();
        if (wanted == null) {
            if (size > 0) {
                end(context, Reply.text(HttpResponseStatus.BAD_REQUEST, "requests have no content here"));
            }
        } else if (body.size() + size > Operations.MAX_BODY_BYTES) {
            end(context, Reply.text(HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE, "no body is that long"));
        } else {
            body.writeBytes(ByteBufUtil.getBytes(content.content()));
            if (content instanceof LastHttpContent) {
                permittedRequest = null;
                byte[] bytes = body.toByteArray();
                body.reset();
                access.perform(wanted, bytes, reply -> context.executor()
                        .execute(() -> writeReply(context, reply, "", isLast)));
            }
        }
    }

    private static Reply undecoded(Throwable cause) {
        if (cause instanceof TooLongHttpLineException) {
            return Reply.text(HttpResponseStatus.REQUEST_URI_TOO_LONG, "no request line is that long");
        } else if (cause instanceof TooLongHttpHeaderException) {
            return Reply.text(HttpResponseStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, "that is too much of headers");
        }
        return Reply.text(HttpResponseStatus.BAD_REQUEST, "this is no HTTP request");
    }

    /**
     * Takes a request. A request before the reply to the previous one ends the connection, because no client needs
     * that.
     */
    private void receive(ChannelHandlerContext context, HttpRequest request) {
        if (isBusy) {
            close(context);
            return;
        }
        isBusy = true;
        startTimeout(context);
        if (request.protocolVersion().majorVersion() != 1) {
            end(context, Reply.text(HttpResponseStatus.HTTP_VERSION_NOT_SUPPORTED, "this server has HTTP/1.1"));
            return;
        }
        List<String> hosts = request.headers().getAll(HttpHeaderNames.HOST);
        if (hosts.size() != 1 || !names.isOwn(hosts.get(0))) {
            end(
                    context,
                    Reply.text(HttpResponseStatus.MISDIRECTED_REQUEST, "this server is not called so; see http_names"));
        } else {
            admit(context, request);
        }
    }

    private void admit(ChannelHandlerContext context, HttpRequest request) {
        HttpAccess.Admission admission = access.admit(context.channel(), request);
        Reply refusal = admission.refusal();
        isLast = !HttpUtil.isKeepAlive(request);
        if (refusal != null) {
            end(context, refusal);
        } else if (admission.operation() != null) {
            permittedRequest = admission.operation();
            if (HttpUtil.is100ContinueExpected(request)) {
                context.writeAndFlush(new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE))
                        .addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
            }
        } else if (!tryEventStream(context, request)) {
            answer(context, request);
        }
    }

    private boolean tryEventStream(ChannelHandlerContext context, HttpRequest request) {
        EventStreams streams = events;
        if (streams == null || !request.method().equals(HttpMethod.GET)) {
            return false;
        } else if (request.uri().equals("/events")) {
            startEventStream(context, request, streams, EventStreams.Form.PAGE, 0);
        } else if (request.uri().equals(EventStreams.API)) {
            startEventStream(context, request, streams, EventStreams.Form.API, streams.last());
        } else {
            return false;
        }
        return true;
    }

    /** Begins an event stream, whose reply has no end. No other request may follow on the connection. */
    private void startEventStream(
            ChannelHandlerContext context,
            HttpRequest request,
            EventStreams streams,
            EventStreams.Form form,
            long lastIfUnknown) {
        isEnding = true;
        cancelTimeout();
        HttpResponse head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        head(head.headers(), "text/event-stream", "");
        HttpUtil.setTransferEncodingChunked(head, true);
        context.writeAndFlush(head).addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
        String last = request.headers().get("Last-Event-ID", "");
        streams.add(context.channel(), form, last.matches("\\d{1,18}") ? Long.parseLong(last) : lastIfUnknown);
    }

    private void answer(ChannelHandlerContext context, HttpRequest request) {
        String knownTag = request.headers().get(HttpHeaderNames.IF_NONE_MATCH, "");
        try {
            router.answer(request.uri(), reply -> context.executor()
                    .execute(() -> writeReply(context, reply, knownTag, isLast)));
        } catch (IllegalArgumentException e) {
            end(context, Reply.text(HttpResponseStatus.BAD_REQUEST, "this address makes no sense"));
        } catch (RuntimeException | Error e) {
            EVENTS.report(SmEvent.HTTP_DEFECT, e);
            FatalErrors.escalate(e);
            end(context, Reply.text(HttpResponseStatus.INTERNAL_SERVER_ERROR, "internal error, see the log"));
        }
    }

    private void end(ChannelHandlerContext context, Reply reply) {
        isEnding = true;
        writeReply(context, reply, "", true);
    }

    private void writeReply(ChannelHandlerContext context, Reply wanted, String knownTag, boolean ends) {
        int size = wanted.body().length;
        boolean hasRoom = outbox.reserve(size, SMALL_REPLY_BYTES);
        Reply reply = hasRoom
                ? wanted
                : Reply.text(
                        HttpResponseStatus.SERVICE_UNAVAILABLE, "others have not read their answers yet; try again");
        boolean isKnown = !reply.tag().isEmpty() && reply.tag().equals(knownTag);
        FullHttpResponse response = new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1,
                isKnown ? HttpResponseStatus.NOT_MODIFIED : reply.status(),
                isKnown ? Unpooled.EMPTY_BUFFER : Unpooled.wrappedBuffer(reply.body()));
        head(response.headers(), reply.contentType(), reply.tag());
        if (!isKnown) {
            HttpUtil.setContentLength(response, reply.body().length);
        }
        reply.headers().forEach(response.headers()::set);
        if (ends) {
            response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        }
        context.writeAndFlush(response).addListener((ChannelFutureListener) written -> {
            isBusy = false;
            outbox.release(hasRoom ? size : 0);
            if (ends || !written.isSuccess()) {
                close(context);
            } else {
                startTimeout(context);
            }
        });
    }

    /**
     * Returns the Cache-Control of a reply. Clients must validate data each time; files change only with the program.
     */
    private static String cacheControl(String contentType, String tag) {
        return tag.isEmpty() ? "no-store" : contentType.equals(Reply.JSON) ? "no-cache" : "max-age=60";
    }

    private static void head(HttpHeaders headers, String contentType, String tag) {
        headers.set(HttpHeaderNames.CONTENT_TYPE, contentType);
        headers.set(HttpHeaderNames.CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY);
        headers.set("X-Content-Type-Options", "nosniff");
        headers.set("Referrer-Policy", "no-referrer");
        headers.set("Cross-Origin-Resource-Policy", "same-origin");
        headers.set(HttpHeaderNames.CACHE_CONTROL, cacheControl(contentType, tag));
        if (!tag.isEmpty()) {
            headers.set(HttpHeaderNames.ETAG, tag);
        }
    }

    /** Starts the time-out from one reply to the end of the next. Single bytes of a slow client do not extend it. */
    private void startTimeout(ChannelHandlerContext context) {
        cancelTimeout();
        requestTimeout = context.executor().schedule((Runnable) () -> close(context), TIMEOUT_S, TimeUnit.SECONDS);
    }

    private void cancelTimeout() {
        ScheduledFuture<?> timer = requestTimeout;
        if (timer != null) {
            timer.cancel(false);
        }
    }

    private static void close(ChannelHandlerContext context) {
        context.close().addListener(closed -> LOG.debug("HTTP client is gone"));
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof SslHandshakeCompletionEvent end && !end.isSuccess()) {
            access.tlsFailed(context.channel(), end.cause());
        }
        context.fireUserEventTriggered(event);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (cause instanceof IOException || cause instanceof CodecException) {
            LOG.debug("HTTP client is dropped: {}", cause.toString());
        } else {
            EVENTS.report(SmEvent.HTTP_DEFECT, cause);
            FatalErrors.escalate(cause);
        }
        close(context);
    }
}
