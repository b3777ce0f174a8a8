# The servers of tacenda: docker build -t tacenda . ; docs/containers.md says how they are run.
# A base by its digest: --build-arg PYTHON_IMAGE=python:3.13-slim-bookworm@sha256:...
ARG PYTHON_IMAGE=python:3.13-slim-bookworm

FROM ${PYTHON_IMAGE} AS build
WORKDIR /source
COPY pyproject.toml requirements.lock README.md LICENSE NOTICE ./
COPY deploy/install.sh deploy/build.lock deploy/
COPY src src
RUN sh deploy/install.sh /opt/tacenda

FROM ${PYTHON_IMAGE} AS run
RUN useradd --uid 10001 --user-group --no-create-home --home-dir /data --shell /usr/sbin/nologin tacenda \
  && install -d -m 700 -o tacenda -g tacenda /data
COPY --from=build /opt/tacenda /opt/tacenda
COPY deploy/health.py /opt/health.py
ENV PATH=/opt/tacenda/bin:$PATH \
    HOME=/data \
    XDG_DATA_HOME=/data \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1
USER 10001:10001
WORKDIR /data
VOLUME /data
EXPOSE 5002
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 CMD ["python", "-I", "/opt/health.py", "5002"]
ENTRYPOINT ["tacenda"]
CMD ["serve", "presidio", "--host", "0.0.0.0", "--port", "5002"]
