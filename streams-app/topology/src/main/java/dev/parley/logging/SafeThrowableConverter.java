package dev.parley.logging;

import ch.qos.logback.classic.pattern.ThrowableProxyConverter;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.CoreConstants;

/** {@code %safeEx}: a stack trace with each message on one line of bounded length. */
public final class SafeThrowableConverter extends ThrowableProxyConverter {

    @Override
    protected String throwableProxyToString(IThrowableProxy throwable) {
        StringBuilder trace = new StringBuilder(BUILDER_CAPACITY);
        append(trace, "", ThrowableProxyUtil.REGULAR_EXCEPTION_INDENT, throwable);
        return trace.toString();
    }

    private void append(StringBuilder trace, String prefix, int indent, IThrowableProxy throwable) {
        StringBuilder message = new StringBuilder();
        ThrowableProxyUtil.subjoinExceptionMessage(message, throwable);
        ThrowableProxyUtil.indent(trace, indent - 1);
        trace.append(prefix).append(LogText.line(message.toString())).append(CoreConstants.LINE_SEPARATOR);
        subjoinSTEPArray(trace, indent, throwable);
        IThrowableProxy[] suppressed = throwable.getSuppressed();
        for (int i = 0; suppressed != null && i < suppressed.length; i++) {
            append(
                    trace,
                    CoreConstants.SUPPRESSED,
                    indent + ThrowableProxyUtil.SUPPRESSED_EXCEPTION_INDENT,
                    suppressed[i]);
        }
        if (throwable.getCause() != null) {
            append(trace, CoreConstants.CAUSED_BY, indent, throwable.getCause());
        }
    }
}
