# Parley's images, made of what Maven built:
#   mvn -pl streams-app/cli -am package -Dmaven.test.skip && docker build -t localhost/parley/parley .
#   docker build --target pipeline -t localhost/parley/pipeline .    the pipeline alone
# Works with the old builder and with BuildKit. docs/install.md describes how to run them, and their
# memory.
ARG BASE=eclipse-temurin:17-jre

FROM ${BASE} AS built
COPY streams-app /built
RUN [ -f /built/cli/target/parley.jar ] && [ -d /built/cli/target/lib ] && [ -f /built/topology/target/parley-pipeline.jar ] || { \
      echo 'There is no streams-app/cli/target/parley.jar; first run: mvn -pl streams-app/cli -am package -Dmaven.test.skip' >&2; exit 1; }

FROM ${BASE} AS common
ARG VERSION=unreleased
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Parley" \
      org.opencontainers.image.description="Event-sourced audit of agent-to-agent traffic on Apache Kafka" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
# By hand, because not every base has the same adduser. A platform may assign any user, with the group 0.
RUN echo 'parley:x:10001:10001:Parley:/var/lib/parley:/bin/false' >>/etc/passwd && echo 'parley:x:10001:' >>/etc/group \
 && mkdir -p /var/lib/parley && chown 10001:0 /var/lib/parley && chmod 770 /var/lib/parley
COPY LICENSE NOTICE /opt/parley/
COPY deploy/containers/parley/launch /opt/parley/bin/parley
# Two malloc arenas instead of eight for each core: what RocksDB frees goes back to where the next allocation looks.
# Fixed thresholds: otherwise glibc raises them to the size of the largest buffer freed, and keeps such buffers.
ENV PATH=/opt/parley/bin:$PATH PARLEY_STATE_DIR=/var/lib/parley/state \
    MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=131072 MALLOC_TRIM_THRESHOLD_=131072
USER 10001:10001
WORKDIR /var/lib/parley
VOLUME /var/lib/parley
STOPSIGNAL SIGTERM
ENTRYPOINT ["parley"]

FROM common AS pipeline
COPY --from=built /built/topology/target/lib /opt/parley/lib
COPY --from=built /built/topology/target/parley-pipeline.jar /opt/parley/parley.jar
CMD []

FROM common
COPY --from=built /built/cli/target/lib /opt/parley/lib
COPY --from=built /built/cli/target/parley.jar /opt/parley/parley.jar
COPY deploy/containers/parley/probe /opt/parley/bin/probe
EXPOSE 8080
# Probes have a listener of their own, within the container; Kubernetes needs PARLEY_HTTP_HEALTH_HOST=0.0.0.0.
# parley tap keeps its files in XDG_STATE_HOME.
ENV PARLEY_HTTP_HEALTH_PORT=8079 XDG_STATE_HOME=/var/lib/parley
HEALTHCHECK --interval=30s --timeout=10s --start-period=60s --retries=3 CMD ["parley", "health"]
CMD ["run"]
