# docker build -t umpire . && docker run -p 8642:8642 -v umpire:/data umpire
FROM node:22-slim AS pages
WORKDIR /build/web
COPY web/package.json web/package-lock.json ./
RUN npm install --no-save --no-audit --no-fund
COPY web ./
RUN npm run build

FROM python:3.12-slim AS wheel
WORKDIR /build
COPY pyproject.toml README.md LICENSE ./
COPY src ./src
COPY --from=pages /build/src/umpire/server/static ./src/umpire/server/static
RUN pip wheel --no-cache-dir --no-deps -w /dist .

FROM python:3.12-slim
COPY --from=wheel /dist /dist
RUN pip install --no-cache-dir /dist/*.whl 'psycopg[binary]>=3.2' && rm -r /dist && python -m umpire.space.warm \
 && useradd --create-home --uid 1000 umpire && mkdir /data && chown umpire /data
USER umpire
VOLUME /data
EXPOSE 8642
CMD ["umpire", "serve", "--host", "0.0.0.0", "--port", "8642", "--data", "/data"]
