# An image that augments and measures, without a GPU:
#   docker build --tag gec-fair .
#   docker run --rm --volume "$PWD:/data" gec-fair augment st /data/pairs.tsv -o /data/out/st
FROM python:3.11-slim

WORKDIR /opt/gec_fair
COPY . .
RUN python -m pip install --no-cache-dir --constraint constraints.txt ".[evaluate]"

WORKDIR /data
ENTRYPOINT ["gec-fair"]
CMD ["--help"]
