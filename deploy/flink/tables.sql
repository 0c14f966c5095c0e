-- Flink SQL tables over the output topics of Parley. Generated from the Avro schemas; see docs/analytics.md.
-- Replace the addresses of the brokers and of the Schema Registry.

CREATE TABLE `audit` (
  `chain` STRING NOT NULL,
  `sequence` BIGINT NOT NULL,
  `log` ROW<`partition` INT NOT NULL, `index` BIGINT NOT NULL> NOT NULL,
  `previousHash` BYTES NOT NULL,
  `source` ROW<`topic` STRING NOT NULL, `partition` INT NOT NULL, `offset` BIGINT NOT NULL, `timestamp` TIMESTAMP(3) NOT NULL, `producerTime` TIMESTAMP(3)> NOT NULL,
  `verdict` STRING NOT NULL,
  `stage` STRING NOT NULL,
  `code` STRING,
  `position` INT,
  `allowed` ARRAY<STRING NOT NULL> NOT NULL,
  `warnings` ARRAY<STRING NOT NULL> NOT NULL,
  `profile` STRING NOT NULL,
  `rules` STRING NOT NULL,
  `unread` BIGINT,
  `hash` BYTES NOT NULL,
  `contentHash` BYTES NOT NULL,
  `salt` BYTES,
  `payloadHash` BYTES,
  `detail` STRING,
  `rule` ROW<`section` STRING NOT NULL, `provenance` STRING NOT NULL, `text` STRING NOT NULL, `before` STRING, `act` STRING, `after` STRING>,
  `message` ROW<`messageId` STRING NOT NULL, `namespace` STRING NOT NULL, `protocol` STRING NOT NULL, `conversation` STRING NOT NULL, `sender` STRING, `recipients` ARRAY<STRING NOT NULL> NOT NULL, `performative` STRING NOT NULL, `replyTo` STRING, `references` ARRAY<ROW<`kind` STRING NOT NULL, `id` STRING NOT NULL> NOT NULL> NOT NULL, `source` ROW<`topic` STRING NOT NULL, `partition` INT NOT NULL, `offset` BIGINT NOT NULL, `timestamp` TIMESTAMP(3) NOT NULL, `producerTime` TIMESTAMP(3)> NOT NULL, `raw` BYTES NOT NULL, `sha256` BYTES NOT NULL, `slip` ROW<`act` STRING NOT NULL, `frame` STRING NOT NULL, `conversation` BIGINT NOT NULL, `source` BIGINT NOT NULL, `destination` BIGINT NOT NULL, `turn` BIGINT NOT NULL, `goalId` BIGINT, `taskId` BIGINT, `parentTaskId` BIGINT, `resultId` BIGINT, `priority` BIGINT, `score` BIGINT, `errorCode` BIGINT, `status` STRING, `tag` STRING, `slotOrder` STRING NOT NULL, `unknownFields` ARRAY<STRING NOT NULL> NOT NULL>, `subit` ROW<`type` STRING NOT NULL, `forms` ARRAY<INT NOT NULL> NOT NULL, `metaPresent` BOOLEAN NOT NULL, `agent` STRING, `timestamp` STRING, `session` STRING, `jsonMeta` ARRAY<STRING NOT NULL> NOT NULL, `meta` ARRAY<ROW<`key` STRING NOT NULL, `value` STRING NOT NULL, `json` BOOLEAN NOT NULL> NOT NULL> NOT NULL, `extras` ARRAY<ROW<`key` STRING NOT NULL, `value` STRING NOT NULL, `json` BOOLEAN NOT NULL> NOT NULL> NOT NULL>, `csp` ROW<`intent` STRING NOT NULL, `sender` STRING NOT NULL, `recipient` STRING NOT NULL, `ctx` STRING NOT NULL, `headerFields` ARRAY<ROW<`key` STRING NOT NULL, `value` STRING NOT NULL> NOT NULL> NOT NULL, `id` STRING, `request` STRING, `scope` STRING, `output` STRING, `owner` STRING, `priority` STRING, `status` STRING, `produced` STRING, `data` STRING, `errorAt` STRING, `cause` STRING, `nextAction` STRING, `base` STRING, `target` STRING, `operations` ARRAY<ROW<`operator` STRING NOT NULL, `name` STRING NOT NULL, `value` STRING> NOT NULL> NOT NULL, `fileOperation` STRING, `path` STRING, `content` STRING, `contentHeredoc` BOOLEAN NOT NULL, `fields` ARRAY<ROW<`key` STRING NOT NULL, `value` STRING NOT NULL> NOT NULL> NOT NULL, `keyOrder` ARRAY<STRING NOT NULL> NOT NULL>, `lambda` ROW<`kind` STRING NOT NULL, `version` STRING, `id` STRING, `headerId` BOOLEAN NOT NULL, `handshake` BOOLEAN NOT NULL, `handshakeReply` BOOLEAN NOT NULL, `address` ARRAY<STRING NOT NULL> NOT NULL, `relay` ARRAY<STRING NOT NULL> NOT NULL, `trust` STRING, `floorBefore` STRING, `floorAfter` STRING, `label` STRING, `contexts` ARRAY<ROW<`entries` ARRAY<ROW<`key` STRING NOT NULL, `value` STRING NOT NULL> NOT NULL> NOT NULL> NOT NULL> NOT NULL, `definitions` ARRAY<ROW<`name` STRING NOT NULL, `value` STRING NOT NULL> NOT NULL> NOT NULL, `statements` ARRAY<ROW<`kind` STRING NOT NULL, `argument` STRING, `errorCode` STRING, `errorDetail` STRING, `tokens` ARRAY<ROW<`kind` STRING NOT NULL, `text` STRING NOT NULL> NOT NULL> NOT NULL> NOT NULL> NOT NULL, `encryption` STRING, `encrypted` STRING, `checksum` INT>, `mcp` ROW<`message` ROW<`kind` STRING NOT NULL, `id` STRING, `method` STRING, `params` STRING, `result` STRING, `error` STRING, `errorCode` BIGINT, `extras` ARRAY<ROW<`name` STRING NOT NULL, `json` STRING NOT NULL> NOT NULL> NOT NULL, `order` ARRAY<STRING NOT NULL> NOT NULL, `batch` ARRAY<STRING NOT NULL> NOT NULL, `body` BYTES> NOT NULL, `capture` ROW<`direction` STRING NOT NULL, `exchange` STRING, `mark` STRING NOT NULL, `httpMethod` STRING, `httpPath` STRING, `httpQuery` STRING, `httpStatus` INT, `fields` ARRAY<ROW<`name` STRING NOT NULL, `value` STRING NOT NULL> NOT NULL> NOT NULL, `caller` STRING, `callerProof` STRING NOT NULL, `delegation` ARRAY<STRING NOT NULL> NOT NULL>, `name` STRING, `uri` STRING, `taskId` STRING, `progressToken` STRING, `requestId` STRING, `protocolVersion` STRING, `isError` BOOLEAN, `client` STRING, `traceparent` STRING>, `extension` ROW<`protocol` STRING NOT NULL, `body` BYTES NOT NULL>>,
  `raw` BYTES,
  `redaction` ROW<`chain` STRING NOT NULL, `sequence` BIGINT NOT NULL, `source` ROW<`topic` STRING NOT NULL, `partition` INT NOT NULL, `offset` BIGINT NOT NULL, `timestamp` TIMESTAMP(3) NOT NULL, `producerTime` TIMESTAMP(3)> NOT NULL, `recordHash` BYTES NOT NULL, `reason` STRING NOT NULL, `by` STRING NOT NULL, `time` TIMESTAMP(3) NOT NULL, `approves` BOOLEAN NOT NULL>,
  `omitted` ROW<`sha256` BYTES NOT NULL, `valueBytes` INT, `keyBytes` INT, `headerCount` INT NOT NULL, `headerBytes` BIGINT NOT NULL, `prefix` BYTES>,
  `claims` ROW<`protocol` STRING NOT NULL, `namespace` STRING, `conversation` STRING, `sender` STRING>,
  `innerMessages` ARRAY<ROW<`protocol` STRING NOT NULL, `start` INT NOT NULL, `end` INT NOT NULL> NOT NULL> NOT NULL,
  `redacted` ROW<`chain` STRING NOT NULL, `sequence` BIGINT NOT NULL, `source` ROW<`topic` STRING NOT NULL, `partition` INT NOT NULL, `offset` BIGINT NOT NULL, `timestamp` TIMESTAMP(3) NOT NULL, `producerTime` TIMESTAMP(3)> NOT NULL, `recordHash` BYTES NOT NULL, `reason` STRING NOT NULL, `by` STRING NOT NULL, `time` TIMESTAMP(3) NOT NULL, `approves` BOOLEAN NOT NULL>,
  `kafka_partition` INT METADATA FROM 'partition' VIRTUAL,
  `kafka_offset` BIGINT METADATA FROM 'offset' VIRTUAL,
  `event_time` TIMESTAMP_LTZ(3) METADATA FROM 'timestamp' VIRTUAL,
  WATERMARK FOR `event_time` AS `event_time` - INTERVAL '1' MINUTE
) WITH (
  'connector' = 'kafka',
  'topic' = 'parley.audit.v1',
  'properties.bootstrap.servers' = '127.0.0.1:9092',
  'properties.isolation.level' = 'read_committed',
  'scan.startup.mode' = 'earliest-offset',
  'scan.bounded.mode' = 'latest-offset',
  'value.format' = 'avro-confluent',
  'value.avro-confluent.url' = 'http://127.0.0.1:8081',
  'value.avro-confluent.schema' = '{"type":"record","name":"AuditRecord","namespace":"dev.parley.avro","fields":[{"name":"chain","type":{"type":"string"}},{"name":"sequence","type":"long"},{"name":"log","type":{"type":"record","name":"LogPosition","fields":[{"name":"partition","type":"int"},{"name":"index","type":"long"}]}},{"name":"previousHash","type":"bytes"},{"name":"source","type":{"type":"record","name":"Source","fields":[{"name":"topic","type":{"type":"string"}},{"name":"partition","type":"int"},{"name":"offset","type":"long"},{"name":"timestamp","type":{"type":"long","logicalType":"timestamp-millis"}},{"name":"producerTime","type":["null",{"type":"long","logicalType":"timestamp-millis"}],"default":null}]}},{"name":"verdict","type":{"type":"string"}},{"name":"stage","type":{"type":"string"},"default":"NONE"},{"name":"code","type":["null",{"type":"string"}],"default":null},{"name":"position","type":["null","int"],"default":null},{"name":"allowed","type":{"type":"array","items":{"type":"string"}},"default":[]},{"name":"warnings","type":{"type":"array","items":{"type":"string"}},"default":[]},{"name":"profile","type":{"type":"string"}},{"name":"rules","type":{"type":"string"}},{"name":"unread","type":["null","long"],"default":null},{"name":"hash","type":"bytes"},{"name":"contentHash","type":"bytes"},{"name":"salt","type":["null","bytes"],"default":null},{"name":"payloadHash","type":["null","bytes"],"default":null},{"name":"detail","type":["null",{"type":"string"}],"default":null},{"name":"rule","type":["null",{"type":"record","name":"Rule","fields":[{"name":"section","type":{"type":"string"}},{"name":"provenance","type":{"type":"string"}},{"name":"text","type":{"type":"string"}},{"name":"before","type":["null",{"type":"string"}],"default":null},{"name":"act","type":["null",{"type":"string"}],"default":null},{"name":"after","type":["null",{"type":"string"}],"default":null}]}],"default":null},{"name":"message","type":["null",{"type":"record","name":"AgentMessage","fields":[{"name":"messageId","type":{"type":"string"}},{"name":"namespace","type":{"type":"string"}},{"name":"protocol","type":{"type":"string"}},{"name":"conversation","type":{"type":"string"}},{"name":"sender","type":["null",{"type":"string"}],"default":null},{"name":"recipients","type":{"type":"array","items":{"type":"string"}},"default":[]},{"name":"performative","type":{"type":"string"}},{"name":"replyTo","type":["null",{"type":"string"}],"default":null},{"name":"references","type":{"type":"array","items":{"type":"record","name":"Reference","fields":[{"name":"kind","type":{"type":"string"}},{"name":"id","type":{"type":"string"}}]}},"default":[]},{"name":"source","type":"Source"},{"name":"raw","type":"bytes"},{"name":"sha256","type":"bytes"},{"name":"slip","type":["null",{"type":"record","name":"SlipMessage","fields":[{"name":"act","type":{"type":"enum","name":"SlipAct","symbols":["UNKNOWN","OBSERVE","INFORM","ASK","REQUEST","PROPOSE","COMMIT","ACCEPT","REJECT","EVAL","ERROR","META"],"default":"UNKNOWN"}},{"name":"frame","type":{"type":"enum","name":"SlipFrame","symbols":["UNKNOWN","TASK","PLAN","OBSERVATION","EVALUATION","CONTROL"],"default":"UNKNOWN"}},{"name":"conversation","type":"long"},{"name":"source","type":"long"},{"name":"destination","type":"long"},{"name":"turn","type":"long"},{"name":"goalId","type":["null","long"],"default":null},{"name":"taskId","type":["null","long"],"default":null},{"name":"parentTaskId","type":["null","long"],"default":null},{"name":"resultId","type":["null","long"],"default":null},{"name":"priority","type":["null","long"],"default":null},{"name":"score","type":["null","long"],"default":null},{"name":"errorCode","type":["null","long"],"default":null},{"name":"status","type":["null",{"type":"string"}],"default":null},{"name":"tag","type":["null",{"type":"string"}],"default":null},{"name":"slotOrder","type":{"type":"string"},"default":""},{"name":"unknownFields","type":{"type":"array","items":{"type":"string"}},"default":[]}]}],"default":null},{"name":"subit","type":["null",{"type":"record","name":"SubitMessage","fields":[{"name":"type","type":{"type":"enum","name":"SubitType","symbols":["UNKNOWN","STATE","INTENT","ACTION","PLAN","TRACE","ERROR"],"default":"UNKNOWN"}},{"name":"forms","type":{"type":"array","items":"int"}},{"name":"metaPresent","type":"boolean","default":false},{"name":"agent","type":["null",{"type":"string"}],"default":null},{"name":"timestamp","type":["null",{"type":"string"}],"default":null},{"name":"session","type":["null",{"type":"string"}],"default":null},{"name":"jsonMeta","type":{"type":"array","items":{"type":"string"}},"default":[]},{"name":"meta","type":{"type":"array","items":{"type":"record","name":"SubitEntry","fields":[{"name":"key","type":{"type":"string"}},{"name":"value","type":{"type":"string"}},{"name":"json","type":"boolean","default":false}]}},"default":[]},{"name":"extras","type":{"type":"array","items":"SubitEntry"},"default":[]}]}],"default":null},{"name":"csp","type":["null",{"type":"record","name":"CspMessage","fields":[{"name":"intent","type":{"type":"enum","name":"CspIntent","symbols":["UNKNOWN","PLAN","TASK","RESULT","ERROR","QUERY","PATCH","FILE","MEM"],"default":"UNKNOWN"}},{"name":"sender","type":{"type":"string"}},{"name":"recipient","type":{"type":"string"}},{"name":"ctx","type":{"type":"string"}},{"name":"headerFields","type":{"type":"array","items":{"type":"record","name":"CspField","fields":[{"name":"key","type":{"type":"string"}},{"name":"value","type":{"type":"string"}}]}},"default":[]},{"name":"id","type":["null",{"type":"string"}],"default":null},{"name":"request","type":["null",{"type":"string"}],"default":null},{"name":"scope","type":["null",{"type":"string"}],"default":null},{"name":"output","type":["null",{"type":"string"}],"default":null},{"name":"owner","type":["null",{"type":"string"}],"default":null},{"name":"priority","type":["null",{"type":"string"}],"default":null},{"name":"status","type":["null",{"type":"string"}],"default":null},{"name":"produced","type":["null",{"type":"string"}],"default":null},{"name":"data","type":["null",{"type":"string"}],"default":null},{"name":"errorAt","type":["null",{"type":"string"}],"default":null},{"name":"cause","type":["null",{"type":"string"}],"default":null},{"name":"nextAction","type":["null",{"type":"string"}],"default":null},{"name":"base","type":["null",{"type":"string"}],"default":null},{"name":"target","type":["null",{"type":"string"}],"default":null},{"name":"operations","type":{"type":"array","items":{"type":"record","name":"CspOperation","fields":[{"name":"operator","type":{"type":"enum","name":"CspOperator","symbols":["UNKNOWN","ADD","CHANGE","REMOVE"],"default":"UNKNOWN"}},{"name":"name","type":{"type":"string"}},{"name":"value","type":["null",{"type":"string"}],"default":null}]}},"default":[]},{"name":"fileOperation","type":["null",{"type":"string"}],"default":null},{"name":"path","type":["null",{"type":"string"}],"default":null},{"name":"content","type":["null",{"type":"string"}],"default":null},{"name":"contentHeredoc","type":"boolean","default":false},{"name":"fields","type":{"type":"array","items":"CspField"},"default":[]},{"name":"keyOrder","type":{"type":"array","items":{"type":"string"}},"default":[]}]}],"default":null},{"name":"lambda","type":["null",{"type":"record","name":"LambdaMessage","fields":[{"name":"kind","type":{"type":"enum","name":"LambdaKind","symbols":["UNKNOWN","STATEMENTS","HANDSHAKE","HANDSHAKE_REPLY","CONTEXT_ONLY","DATA_ONLY","ENCRYPTED","FLOOR"],"default":"UNKNOWN"}},{"name":"version","type":["null",{"type":"string"}],"default":null},{"name":"id","type":["null",{"type":"string"}],"default":null},{"name":"headerId","type":"boolean","default":false},{"name":"handshake","type":"boolean","default":false},{"name":"handshakeReply","type":"boolean","default":false},{"name":"address","type":{"type":"array","items":{"type":"string"}},"default":[]},{"name":"relay","type":{"type":"array","items":{"type":"string"}},"default":[]},{"name":"trust","type":["null",{"type":"enum","name":"LambdaTrust","symbols":["UNKNOWN","PUBLIC","PRIVATE","SIGNED"],"default":"UNKNOWN"}],"default":null},{"name":"floorBefore","type":["null",{"type":"enum","name":"LambdaFloor","symbols":["UNKNOWN","TAKE","YIELD","INTERJECT","CONTINUE"],"default":"UNKNOWN"}],"default":null},{"name":"floorAfter","type":["null","LambdaFloor"],"default":null},{"name":"label","type":["null",{"type":"string"}],"default":null},{"name":"contexts","type":{"type":"array","items":{"type":"record","name":"LambdaContext","fields":[{"name":"entries","type":{"type":"array","items":{"type":"record","name":"LambdaEntry","fields":[{"name":"key","type":{"type":"string"}},{"name":"value","type":{"type":"string"}}]}}}]}},"default":[]},{"name":"definitions","type":{"type":"array","items":{"type":"record","name":"LambdaDefinition","fields":[{"name":"name","type":{"type":"string"}},{"name":"value","type":{"type":"string"}}]}},"default":[]},{"name":"statements","type":{"type":"array","items":{"type":"record","name":"LambdaStatement","fields":[{"name":"kind","type":{"type":"enum","name":"LambdaStatementKind","symbols":["UNKNOWN","ASK","ASSERT","SUPPOSE","COMMAND","OFFER","ACK","ACK_URGENT","AGREE","DISAGREE","COUNTER","CLARIFY","ERROR","META","REFERENCE","DATA"],"default":"UNKNOWN"}},{"name":"argument","type":["null",{"type":"string"}],"default":null},{"name":"errorCode","type":["null",{"type":"string"}],"default":null},{"name":"errorDetail","type":["null",{"type":"string"}],"default":null},{"name":"tokens","type":{"type":"array","items":{"type":"record","name":"LambdaToken","fields":[{"name":"kind","type":{"type":"enum","name":"LambdaTokenKind","symbols":["UNKNOWN","ENTITY","VERB","EXTENDED","NUMBER","SYMBOL","STRING"],"default":"UNKNOWN"}},{"name":"text","type":{"type":"string"}}]}},"default":[]}]}},"default":[]},{"name":"encryption","type":["null",{"type":"string"}],"default":null},{"name":"encrypted","type":["null",{"type":"string"}],"default":null},{"name":"checksum","type":["null","int"],"default":null}]}],"default":null},{"name":"mcp","type":["null",{"type":"record","name":"McpMessage","fields":[{"name":"message","type":{"type":"record","name":"JsonRpcMessage","fields":[{"name":"kind","type":{"type":"enum","name":"JsonRpcKind","symbols":["UNKNOWN","REQUEST","NOTIFICATION","RESULT","ERROR","BATCH","NONE","OTHER"],"default":"UNKNOWN"}},{"name":"id","type":["null",{"type":"string"}],"default":null},{"name":"method","type":["null",{"type":"string"}],"default":null},{"name":"params","type":["null",{"type":"string"}],"default":null},{"name":"result","type":["null",{"type":"string"}],"default":null},{"name":"error","type":["null",{"type":"string"}],"default":null},{"name":"errorCode","type":["null","long"],"default":null},{"name":"extras","type":{"type":"array","items":{"type":"record","name":"JsonMember","fields":[{"name":"name","type":{"type":"string"}},{"name":"json","type":{"type":"string"}}]}},"default":[]},{"name":"order","type":{"type":"array","items":{"type":"string"}},"default":[]},{"name":"batch","type":{"type":"array","items":{"type":"string"}},"default":[]},{"name":"body","type":["null","bytes"],"default":null}]}},{"name":"capture","type":["null",{"type":"record","name":"Capture","fields":[{"name":"direction","type":{"type":"enum","name":"CaptureDirection","symbols":["UNKNOWN","CLIENT_TO_SERVER","SERVER_TO_CLIENT"],"default":"UNKNOWN"},"default":"UNKNOWN"},{"name":"exchange","type":["null",{"type":"string"}],"default":null},{"name":"mark","type":{"type":"enum","name":"CaptureMark","symbols":["NONE","START","END","GAP"],"default":"NONE"},"default":"NONE"},{"name":"httpMethod","type":["null",{"type":"string"}],"default":null},{"name":"httpPath","type":["null",{"type":"string"}],"default":null},{"name":"httpQuery","type":["null",{"type":"string"}],"default":null},{"name":"httpStatus","type":["null","int"],"default":null},{"name":"fields","type":{"type":"array","items":{"type":"record","name":"HttpField","fields":[{"name":"name","type":{"type":"string"}},{"name":"value","type":{"type":"string"}}]}},"default":[]},{"name":"caller","type":["null",{"type":"string"}],"default":null},{"name":"callerProof","type":{"type":"enum","name":"CallerProof","symbols":["CLAIM","MTLS","TOKEN","PROCESS"],"default":"CLAIM"},"default":"CLAIM"},{"name":"delegation","type":{"type":"array","items":{"type":"string"}},"default":[]}]}],"default":null},{"name":"name","type":["null",{"type":"string"}],"default":null},{"name":"uri","type":["null",{"type":"string"}],"default":null},{"name":"taskId","type":["null",{"type":"string"}],"default":null},{"name":"progressToken","type":["null",{"type":"string"}],"default":null},{"name":"requestId","type":["null",{"type":"string"}],"default":null},{"name":"protocolVersion","type":["null",{"type":"string"}],"default":null},{"name":"isError","type":["null","boolean"],"default":null},{"name":"client","type":["null",{"type":"string"}],"default":null},{"name":"traceparent","type":["null",{"type":"string"}],"default":null}]}],"default":null},{"name":"extension","type":["null",{"type":"record","name":"Extension","fields":[{"name":"protocol","type":{"type":"string"}},{"name":"body","type":"bytes"}]}],"default":null}]}],"default":null},{"name":"raw","type":["null","bytes"],"default":null},{"name":"redaction","type":["null",{"type":"record","name":"Redaction","fields":[{"name":"chain","type":{"type":"string"}},{"name":"sequence","type":"long"},{"name":"source","type":"Source"},{"name":"recordHash","type":"bytes"},{"name":"reason","type":{"type":"string"}},{"name":"by","type":{"type":"string"}},{"name":"time","type":{"type":"long","logicalType":"timestamp-millis"}},{"name":"approves","type":"boolean","default":false}]}],"default":null},{"name":"omitted","type":["null",{"type":"record","name":"Omitted","fields":[{"name":"sha256","type":"bytes"},{"name":"valueBytes","type":["null","int"],"default":null},{"name":"keyBytes","type":["null","int"],"default":null},{"name":"headerCount","type":"int","default":0},{"name":"headerBytes","type":"long","default":0},{"name":"prefix","type":["null","bytes"],"default":null}]}],"default":null},{"name":"claims","type":["null",{"type":"record","name":"Claims","fields":[{"name":"protocol","type":{"type":"string"}},{"name":"namespace","type":["null",{"type":"string"}],"default":null},{"name":"conversation","type":["null",{"type":"string"}],"default":null},{"name":"sender","type":["null",{"type":"string"}],"default":null}]}],"default":null},{"name":"innerMessages","type":{"type":"array","items":{"type":"record","name":"InnerMessage","fields":[{"name":"protocol","type":{"type":"string"}},{"name":"start","type":"int"},{"name":"end","type":"int"}]}},"default":[]},{"name":"redacted","type":["null","Redaction"],"default":null}]}'
);

CREATE TABLE `audit_heads` (
  `origin` STRING NOT NULL,
  `partition` INT NOT NULL,
  `size` BIGINT NOT NULL,
  `time` TIMESTAMP(3) NOT NULL,
  `note` STRING NOT NULL,
  `kafka_partition` INT METADATA FROM 'partition' VIRTUAL,
  `kafka_offset` BIGINT METADATA FROM 'offset' VIRTUAL,
  `event_time` TIMESTAMP_LTZ(3) METADATA FROM 'timestamp' VIRTUAL,
  WATERMARK FOR `event_time` AS `event_time` - INTERVAL '1' MINUTE
) WITH (
  'connector' = 'kafka',
  'topic' = 'parley.audit-head.v1',
  'properties.bootstrap.servers' = '127.0.0.1:9092',
  'properties.isolation.level' = 'read_committed',
  'scan.startup.mode' = 'earliest-offset',
  'scan.bounded.mode' = 'latest-offset',
  'value.format' = 'avro-confluent',
  'value.avro-confluent.url' = 'http://127.0.0.1:8081'
);

CREATE TABLE `audit_tiles` (
  `partition` INT NOT NULL,
  `level` INT NOT NULL,
  `index` BIGINT NOT NULL,
  `hashes` BYTES NOT NULL,
  `kafka_partition` INT METADATA FROM 'partition' VIRTUAL,
  `kafka_offset` BIGINT METADATA FROM 'offset' VIRTUAL,
  `event_time` TIMESTAMP_LTZ(3) METADATA FROM 'timestamp' VIRTUAL,
  WATERMARK FOR `event_time` AS `event_time` - INTERVAL '1' MINUTE
) WITH (
  'connector' = 'kafka',
  'topic' = 'parley.audit-tile.v1',
  'properties.bootstrap.servers' = '127.0.0.1:9092',
  'properties.isolation.level' = 'read_committed',
  'scan.startup.mode' = 'earliest-offset',
  'scan.bounded.mode' = 'latest-offset',
  'value.format' = 'avro-confluent',
  'value.avro-confluent.url' = 'http://127.0.0.1:8081'
);

CREATE TABLE `redactions` (
  `chain` STRING NOT NULL,
  `sequence` BIGINT NOT NULL,
  `source` ROW<`topic` STRING NOT NULL, `partition` INT NOT NULL, `offset` BIGINT NOT NULL, `timestamp` TIMESTAMP(3) NOT NULL, `producerTime` TIMESTAMP(3)> NOT NULL,
  `recordHash` BYTES NOT NULL,
  `reason` STRING NOT NULL,
  `by` STRING NOT NULL,
  `time` TIMESTAMP(3) NOT NULL,
  `approves` BOOLEAN NOT NULL,
  `kafka_partition` INT METADATA FROM 'partition' VIRTUAL,
  `kafka_offset` BIGINT METADATA FROM 'offset' VIRTUAL,
  `event_time` TIMESTAMP_LTZ(3) METADATA FROM 'timestamp' VIRTUAL,
  WATERMARK FOR `event_time` AS `event_time` - INTERVAL '1' MINUTE
) WITH (
  'connector' = 'kafka',
  'topic' = 'parley.redaction.v1',
  'properties.bootstrap.servers' = '127.0.0.1:9092',
  'properties.isolation.level' = 'read_committed',
  'scan.startup.mode' = 'earliest-offset',
  'scan.bounded.mode' = 'latest-offset',
  'value.format' = 'avro-confluent',
  'value.avro-confluent.url' = 'http://127.0.0.1:8081'
);

CREATE TABLE `redrives` (
  `source` STRING NOT NULL,
  `deadLetter` STRING NOT NULL,
  `sent` STRING NOT NULL,
  `attempt` INT NOT NULL,
  `by` STRING NOT NULL,
  `reason` STRING NOT NULL,
  `time` TIMESTAMP(3) NOT NULL,
  `operation` STRING NOT NULL,
  `originalHash` BYTES,
  `sentHash` BYTES,
  `edited` BOOLEAN NOT NULL,
  `kind` STRING NOT NULL,
  `kafka_partition` INT METADATA FROM 'partition' VIRTUAL,
  `kafka_offset` BIGINT METADATA FROM 'offset' VIRTUAL,
  `event_time` TIMESTAMP_LTZ(3) METADATA FROM 'timestamp' VIRTUAL,
  WATERMARK FOR `event_time` AS `event_time` - INTERVAL '1' MINUTE
) WITH (
  'connector' = 'kafka',
  'topic' = 'parley.redrive.v1',
  'properties.bootstrap.servers' = '127.0.0.1:9092',
  'properties.isolation.level' = 'read_committed',
  'scan.startup.mode' = 'earliest-offset',
  'scan.bounded.mode' = 'latest-offset',
  'value.format' = 'avro-confluent',
  'value.avro-confluent.url' = 'http://127.0.0.1:8081',
  'value.avro-confluent.schema' = '{"type":"record","name":"Redrive","namespace":"dev.parley.avro","fields":[{"name":"source","type":{"type":"string"}},{"name":"deadLetter","type":{"type":"string"}},{"name":"sent","type":{"type":"string"}},{"name":"attempt","type":"int"},{"name":"by","type":{"type":"string"}},{"name":"reason","type":{"type":"string"}},{"name":"time","type":{"type":"long","logicalType":"timestamp-millis"}},{"name":"operation","type":{"type":"string"}},{"name":"originalHash","type":["null","bytes"],"default":null},{"name":"sentHash","type":["null","bytes"],"default":null},{"name":"edited","type":"boolean","default":false},{"name":"kind","type":{"type":"enum","name":"RedriveKind","symbols":["REDRIVEN","CLOSED","REOPENED"],"default":"REDRIVEN"},"default":"REDRIVEN"}]}'
);

CREATE TABLE `messages` (
  `messageId` STRING NOT NULL,
  `namespace` STRING NOT NULL,
  `protocol` STRING NOT NULL,
  `conversation` STRING NOT NULL,
  `sender` STRING,
  `recipients` ARRAY<STRING NOT NULL> NOT NULL,
  `performative` STRING NOT NULL,
  `replyTo` STRING,
  `references` ARRAY<ROW<`kind` STRING NOT NULL, `id` STRING NOT NULL> NOT NULL> NOT NULL,
  `source` ROW<`topic` STRING NOT NULL, `partition` INT NOT NULL, `offset` BIGINT NOT NULL, `timestamp` TIMESTAMP(3) NOT NULL, `producerTime` TIMESTAMP(3)> NOT NULL,
  `raw` BYTES NOT NULL,
  `sha256` BYTES NOT NULL,
  `slip` ROW<`act` STRING NOT NULL, `frame` STRING NOT NULL, `conversation` BIGINT NOT NULL, `source` BIGINT NOT NULL, `destination` BIGINT NOT NULL, `turn` BIGINT NOT NULL, `goalId` BIGINT, `taskId` BIGINT, `parentTaskId` BIGINT, `resultId` BIGINT, `priority` BIGINT, `score` BIGINT, `errorCode` BIGINT, `status` STRING, `tag` STRING, `slotOrder` STRING NOT NULL, `unknownFields` ARRAY<STRING NOT NULL> NOT NULL>,
  `subit` ROW<`type` STRING NOT NULL, `forms` ARRAY<INT NOT NULL> NOT NULL, `metaPresent` BOOLEAN NOT NULL, `agent` STRING, `timestamp` STRING, `session` STRING, `jsonMeta` ARRAY<STRING NOT NULL> NOT NULL, `meta` ARRAY<ROW<`key` STRING NOT NULL, `value` STRING NOT NULL, `json` BOOLEAN NOT NULL> NOT NULL> NOT NULL, `extras` ARRAY<ROW<`key` STRING NOT NULL, `value` STRING NOT NULL, `json` BOOLEAN NOT NULL> NOT NULL> NOT NULL>,
  `csp` ROW<`intent` STRING NOT NULL, `sender` STRING NOT NULL, `recipient` STRING NOT NULL, `ctx` STRING NOT NULL, `headerFields` ARRAY<ROW<`key` STRING NOT NULL, `value` STRING NOT NULL> NOT NULL> NOT NULL, `id` STRING, `request` STRING, `scope` STRING, `output` STRING, `owner` STRING, `priority` STRING, `status` STRING, `produced` STRING, `data` STRING, `errorAt` STRING, `cause` STRING, `nextAction` STRING, `base` STRING, `target` STRING, `operations` ARRAY<ROW<`operator` STRING NOT NULL, `name` STRING NOT NULL, `value` STRING> NOT NULL> NOT NULL, `fileOperation` STRING, `path` STRING, `content` STRING, `contentHeredoc` BOOLEAN NOT NULL, `fields` ARRAY<ROW<`key` STRING NOT NULL, `value` STRING NOT NULL> NOT NULL> NOT NULL, `keyOrder` ARRAY<STRING NOT NULL> NOT NULL>,
  `lambda` ROW<`kind` STRING NOT NULL, `version` STRING, `id` STRING, `headerId` BOOLEAN NOT NULL, `handshake` BOOLEAN NOT NULL, `handshakeReply` BOOLEAN NOT NULL, `address` ARRAY<STRING NOT NULL> NOT NULL, `relay` ARRAY<STRING NOT NULL> NOT NULL, `trust` STRING, `floorBefore` STRING, `floorAfter` STRING, `label` STRING, `contexts` ARRAY<ROW<`entries` ARRAY<ROW<`key` STRING NOT NULL, `value` STRING NOT NULL> NOT NULL> NOT NULL> NOT NULL> NOT NULL, `definitions` ARRAY<ROW<`name` STRING NOT NULL, `value` STRING NOT NULL> NOT NULL> NOT NULL, `statements` ARRAY<ROW<`kind` STRING NOT NULL, `argument` STRING, `errorCode` STRING, `errorDetail` STRING, `tokens` ARRAY<ROW<`kind` STRING NOT NULL, `text` STRING NOT NULL> NOT NULL> NOT NULL> NOT NULL> NOT NULL, `encryption` STRING, `encrypted` STRING, `checksum` INT>,
  `mcp` ROW<`message` ROW<`kind` STRING NOT NULL, `id` STRING, `method` STRING, `params` STRING, `result` STRING, `error` STRING, `errorCode` BIGINT, `extras` ARRAY<ROW<`name` STRING NOT NULL, `json` STRING NOT NULL> NOT NULL> NOT NULL, `order` ARRAY<STRING NOT NULL> NOT NULL, `batch` ARRAY<STRING NOT NULL> NOT NULL, `body` BYTES> NOT NULL, `capture` ROW<`direction` STRING NOT NULL, `exchange` STRING, `mark` STRING NOT NULL, `httpMethod` STRING, `httpPath` STRING, `httpQuery` STRING, `httpStatus` INT, `fields` ARRAY<ROW<`name` STRING NOT NULL, `value` STRING NOT NULL> NOT NULL> NOT NULL, `caller` STRING, `callerProof` STRING NOT NULL, `delegation` ARRAY<STRING NOT NULL> NOT NULL>, `name` STRING, `uri` STRING, `taskId` STRING, `progressToken` STRING, `requestId` STRING, `protocolVersion` STRING, `isError` BOOLEAN, `client` STRING, `traceparent` STRING>,
  `extension` ROW<`protocol` STRING NOT NULL, `body` BYTES NOT NULL>,
  `kafka_partition` INT METADATA FROM 'partition' VIRTUAL,
  `kafka_offset` BIGINT METADATA FROM 'offset' VIRTUAL,
  `event_time` TIMESTAMP_LTZ(3) METADATA FROM 'timestamp' VIRTUAL,
  WATERMARK FOR `event_time` AS `event_time` - INTERVAL '1' MINUTE
) WITH (
  'connector' = 'kafka',
  'topic' = 'parley.message.v1',
  'properties.bootstrap.servers' = '127.0.0.1:9092',
  'properties.isolation.level' = 'read_committed',
  'scan.startup.mode' = 'earliest-offset',
  'scan.bounded.mode' = 'latest-offset',
  'value.format' = 'avro-confluent',
  'value.avro-confluent.url' = 'http://127.0.0.1:8081',
  'value.avro-confluent.schema' = '{"type":"record","name":"AgentMessage","namespace":"dev.parley.avro","fields":[{"name":"messageId","type":{"type":"string"}},{"name":"namespace","type":{"type":"string"}},{"name":"protocol","type":{"type":"string"}},{"name":"conversation","type":{"type":"string"}},{"name":"sender","type":["null",{"type":"string"}],"default":null},{"name":"recipients","type":{"type":"array","items":{"type":"string"}},"default":[]},{"name":"performative","type":{"type":"string"}},{"name":"replyTo","type":["null",{"type":"string"}],"default":null},{"name":"references","type":{"type":"array","items":{"type":"record","name":"Reference","fields":[{"name":"kind","type":{"type":"string"}},{"name":"id","type":{"type":"string"}}]}},"default":[]},{"name":"source","type":{"type":"record","name":"Source","fields":[{"name":"topic","type":{"type":"string"}},{"name":"partition","type":"int"},{"name":"offset","type":"long"},{"name":"timestamp","type":{"type":"long","logicalType":"timestamp-millis"}},{"name":"producerTime","type":["null",{"type":"long","logicalType":"timestamp-millis"}],"default":null}]}},{"name":"raw","type":"bytes"},{"name":"sha256","type":"bytes"},{"name":"slip","type":["null",{"type":"record","name":"SlipMessage","fields":[{"name":"act","type":{"type":"enum","name":"SlipAct","symbols":["UNKNOWN","OBSERVE","INFORM","ASK","REQUEST","PROPOSE","COMMIT","ACCEPT","REJECT","EVAL","ERROR","META"],"default":"UNKNOWN"}},{"name":"frame","type":{"type":"enum","name":"SlipFrame","symbols":["UNKNOWN","TASK","PLAN","OBSERVATION","EVALUATION","CONTROL"],"default":"UNKNOWN"}},{"name":"conversation","type":"long"},{"name":"source","type":"long"},{"name":"destination","type":"long"},{"name":"turn","type":"long"},{"name":"goalId","type":["null","long"],"default":null},{"name":"taskId","type":["null","long"],"default":null},{"name":"parentTaskId","type":["null","long"],"default":null},{"name":"resultId","type":["null","long"],"default":null},{"name":"priority","type":["null","long"],"default":null},{"name":"score","type":["null","long"],"default":null},{"name":"errorCode","type":["null","long"],"default":null},{"name":"status","type":["null",{"type":"string"}],"default":null},{"name":"tag","type":["null",{"type":"string"}],"default":null},{"name":"slotOrder","type":{"type":"string"},"default":""},{"name":"unknownFields","type":{"type":"array","items":{"type":"string"}},"default":[]}]}],"default":null},{"name":"subit","type":["null",{"type":"record","name":"SubitMessage","fields":[{"name":"type","type":{"type":"enum","name":"SubitType","symbols":["UNKNOWN","STATE","INTENT","ACTION","PLAN","TRACE","ERROR"],"default":"UNKNOWN"}},{"name":"forms","type":{"type":"array","items":"int"}},{"name":"metaPresent","type":"boolean","default":false},{"name":"agent","type":["null",{"type":"string"}],"default":null},{"name":"timestamp","type":["null",{"type":"string"}],"default":null},{"name":"session","type":["null",{"type":"string"}],"default":null},{"name":"jsonMeta","type":{"type":"array","items":{"type":"string"}},"default":[]},{"name":"meta","type":{"type":"array","items":{"type":"record","name":"SubitEntry","fields":[{"name":"key","type":{"type":"string"}},{"name":"value","type":{"type":"string"}},{"name":"json","type":"boolean","default":false}]}},"default":[]},{"name":"extras","type":{"type":"array","items":"SubitEntry"},"default":[]}]}],"default":null},{"name":"csp","type":["null",{"type":"record","name":"CspMessage","fields":[{"name":"intent","type":{"type":"enum","name":"CspIntent","symbols":["UNKNOWN","PLAN","TASK","RESULT","ERROR","QUERY","PATCH","FILE","MEM"],"default":"UNKNOWN"}},{"name":"sender","type":{"type":"string"}},{"name":"recipient","type":{"type":"string"}},{"name":"ctx","type":{"type":"string"}},{"name":"headerFields","type":{"type":"array","items":{"type":"record","name":"CspField","fields":[{"name":"key","type":{"type":"string"}},{"name":"value","type":{"type":"string"}}]}},"default":[]},{"name":"id","type":["null",{"type":"string"}],"default":null},{"name":"request","type":["null",{"type":"string"}],"default":null},{"name":"scope","type":["null",{"type":"string"}],"default":null},{"name":"output","type":["null",{"type":"string"}],"default":null},{"name":"owner","type":["null",{"type":"string"}],"default":null},{"name":"priority","type":["null",{"type":"string"}],"default":null},{"name":"status","type":["null",{"type":"string"}],"default":null},{"name":"produced","type":["null",{"type":"string"}],"default":null},{"name":"data","type":["null",{"type":"string"}],"default":null},{"name":"errorAt","type":["null",{"type":"string"}],"default":null},{"name":"cause","type":["null",{"type":"string"}],"default":null},{"name":"nextAction","type":["null",{"type":"string"}],"default":null},{"name":"base","type":["null",{"type":"string"}],"default":null},{"name":"target","type":["null",{"type":"string"}],"default":null},{"name":"operations","type":{"type":"array","items":{"type":"record","name":"CspOperation","fields":[{"name":"operator","type":{"type":"enum","name":"CspOperator","symbols":["UNKNOWN","ADD","CHANGE","REMOVE"],"default":"UNKNOWN"}},{"name":"name","type":{"type":"string"}},{"name":"value","type":["null",{"type":"string"}],"default":null}]}},"default":[]},{"name":"fileOperation","type":["null",{"type":"string"}],"default":null},{"name":"path","type":["null",{"type":"string"}],"default":null},{"name":"content","type":["null",{"type":"string"}],"default":null},{"name":"contentHeredoc","type":"boolean","default":false},{"name":"fields","type":{"type":"array","items":"CspField"},"default":[]},{"name":"keyOrder","type":{"type":"array","items":{"type":"string"}},"default":[]}]}],"default":null},{"name":"lambda","type":["null",{"type":"record","name":"LambdaMessage","fields":[{"name":"kind","type":{"type":"enum","name":"LambdaKind","symbols":["UNKNOWN","STATEMENTS","HANDSHAKE","HANDSHAKE_REPLY","CONTEXT_ONLY","DATA_ONLY","ENCRYPTED","FLOOR"],"default":"UNKNOWN"}},{"name":"version","type":["null",{"type":"string"}],"default":null},{"name":"id","type":["null",{"type":"string"}],"default":null},{"name":"headerId","type":"boolean","default":false},{"name":"handshake","type":"boolean","default":false},{"name":"handshakeReply","type":"boolean","default":false},{"name":"address","type":{"type":"array","items":{"type":"string"}},"default":[]},{"name":"relay","type":{"type":"array","items":{"type":"string"}},"default":[]},{"name":"trust","type":["null",{"type":"enum","name":"LambdaTrust","symbols":["UNKNOWN","PUBLIC","PRIVATE","SIGNED"],"default":"UNKNOWN"}],"default":null},{"name":"floorBefore","type":["null",{"type":"enum","name":"LambdaFloor","symbols":["UNKNOWN","TAKE","YIELD","INTERJECT","CONTINUE"],"default":"UNKNOWN"}],"default":null},{"name":"floorAfter","type":["null","LambdaFloor"],"default":null},{"name":"label","type":["null",{"type":"string"}],"default":null},{"name":"contexts","type":{"type":"array","items":{"type":"record","name":"LambdaContext","fields":[{"name":"entries","type":{"type":"array","items":{"type":"record","name":"LambdaEntry","fields":[{"name":"key","type":{"type":"string"}},{"name":"value","type":{"type":"string"}}]}}}]}},"default":[]},{"name":"definitions","type":{"type":"array","items":{"type":"record","name":"LambdaDefinition","fields":[{"name":"name","type":{"type":"string"}},{"name":"value","type":{"type":"string"}}]}},"default":[]},{"name":"statements","type":{"type":"array","items":{"type":"record","name":"LambdaStatement","fields":[{"name":"kind","type":{"type":"enum","name":"LambdaStatementKind","symbols":["UNKNOWN","ASK","ASSERT","SUPPOSE","COMMAND","OFFER","ACK","ACK_URGENT","AGREE","DISAGREE","COUNTER","CLARIFY","ERROR","META","REFERENCE","DATA"],"default":"UNKNOWN"}},{"name":"argument","type":["null",{"type":"string"}],"default":null},{"name":"errorCode","type":["null",{"type":"string"}],"default":null},{"name":"errorDetail","type":["null",{"type":"string"}],"default":null},{"name":"tokens","type":{"type":"array","items":{"type":"record","name":"LambdaToken","fields":[{"name":"kind","type":{"type":"enum","name":"LambdaTokenKind","symbols":["UNKNOWN","ENTITY","VERB","EXTENDED","NUMBER","SYMBOL","STRING"],"default":"UNKNOWN"}},{"name":"text","type":{"type":"string"}}]}},"default":[]}]}},"default":[]},{"name":"encryption","type":["null",{"type":"string"}],"default":null},{"name":"encrypted","type":["null",{"type":"string"}],"default":null},{"name":"checksum","type":["null","int"],"default":null}]}],"default":null},{"name":"mcp","type":["null",{"type":"record","name":"McpMessage","fields":[{"name":"message","type":{"type":"record","name":"JsonRpcMessage","fields":[{"name":"kind","type":{"type":"enum","name":"JsonRpcKind","symbols":["UNKNOWN","REQUEST","NOTIFICATION","RESULT","ERROR","BATCH","NONE","OTHER"],"default":"UNKNOWN"}},{"name":"id","type":["null",{"type":"string"}],"default":null},{"name":"method","type":["null",{"type":"string"}],"default":null},{"name":"params","type":["null",{"type":"string"}],"default":null},{"name":"result","type":["null",{"type":"string"}],"default":null},{"name":"error","type":["null",{"type":"string"}],"default":null},{"name":"errorCode","type":["null","long"],"default":null},{"name":"extras","type":{"type":"array","items":{"type":"record","name":"JsonMember","fields":[{"name":"name","type":{"type":"string"}},{"name":"json","type":{"type":"string"}}]}},"default":[]},{"name":"order","type":{"type":"array","items":{"type":"string"}},"default":[]},{"name":"batch","type":{"type":"array","items":{"type":"string"}},"default":[]},{"name":"body","type":["null","bytes"],"default":null}]}},{"name":"capture","type":["null",{"type":"record","name":"Capture","fields":[{"name":"direction","type":{"type":"enum","name":"CaptureDirection","symbols":["UNKNOWN","CLIENT_TO_SERVER","SERVER_TO_CLIENT"],"default":"UNKNOWN"},"default":"UNKNOWN"},{"name":"exchange","type":["null",{"type":"string"}],"default":null},{"name":"mark","type":{"type":"enum","name":"CaptureMark","symbols":["NONE","START","END","GAP"],"default":"NONE"},"default":"NONE"},{"name":"httpMethod","type":["null",{"type":"string"}],"default":null},{"name":"httpPath","type":["null",{"type":"string"}],"default":null},{"name":"httpQuery","type":["null",{"type":"string"}],"default":null},{"name":"httpStatus","type":["null","int"],"default":null},{"name":"fields","type":{"type":"array","items":{"type":"record","name":"HttpField","fields":[{"name":"name","type":{"type":"string"}},{"name":"value","type":{"type":"string"}}]}},"default":[]},{"name":"caller","type":["null",{"type":"string"}],"default":null},{"name":"callerProof","type":{"type":"enum","name":"CallerProof","symbols":["CLAIM","MTLS","TOKEN","PROCESS"],"default":"CLAIM"},"default":"CLAIM"},{"name":"delegation","type":{"type":"array","items":{"type":"string"}},"default":[]}]}],"default":null},{"name":"name","type":["null",{"type":"string"}],"default":null},{"name":"uri","type":["null",{"type":"string"}],"default":null},{"name":"taskId","type":["null",{"type":"string"}],"default":null},{"name":"progressToken","type":["null",{"type":"string"}],"default":null},{"name":"requestId","type":["null",{"type":"string"}],"default":null},{"name":"protocolVersion","type":["null",{"type":"string"}],"default":null},{"name":"isError","type":["null","boolean"],"default":null},{"name":"client","type":["null",{"type":"string"}],"default":null},{"name":"traceparent","type":["null",{"type":"string"}],"default":null}]}],"default":null},{"name":"extension","type":["null",{"type":"record","name":"Extension","fields":[{"name":"protocol","type":{"type":"string"}},{"name":"body","type":"bytes"}]}],"default":null}]}'
);

CREATE TABLE `checkpoints` (
  `namespace` STRING NOT NULL,
  `context` STRING NOT NULL,
  `id` STRING NOT NULL,
  `parent` STRING,
  `patch` STRING,
  `patchHash` BYTES NOT NULL,
  `sender` STRING,
  `operations` ARRAY<ROW<`operator` STRING NOT NULL, `name` STRING NOT NULL, `value` STRING> NOT NULL> NOT NULL,
  `source` ROW<`topic` STRING NOT NULL, `partition` INT NOT NULL, `offset` BIGINT NOT NULL, `timestamp` TIMESTAMP(3) NOT NULL, `producerTime` TIMESTAMP(3)>,
  `ordinal` BIGINT NOT NULL,
  `depth` BIGINT NOT NULL,
  `hash` BYTES NOT NULL,
  `stateBytes` BIGINT NOT NULL,
  `deltaBytes` BIGINT NOT NULL,
  `snapshot` MAP<STRING NOT NULL, STRING NOT NULL>,
  `setters` ARRAY<BIGINT NOT NULL>,
  `releasedBy` ROW<`topic` STRING NOT NULL, `partition` INT NOT NULL, `offset` BIGINT NOT NULL, `timestamp` TIMESTAMP(3) NOT NULL, `producerTime` TIMESTAMP(3)>,
  `prunedAt` TIMESTAMP(3),
  `kafka_partition` INT METADATA FROM 'partition' VIRTUAL,
  `kafka_offset` BIGINT METADATA FROM 'offset' VIRTUAL,
  `event_time` TIMESTAMP_LTZ(3) METADATA FROM 'timestamp' VIRTUAL,
  WATERMARK FOR `event_time` AS `event_time` - INTERVAL '1' MINUTE
) WITH (
  'connector' = 'kafka',
  'topic' = 'parley.checkpoint.v1',
  'properties.bootstrap.servers' = '127.0.0.1:9092',
  'properties.isolation.level' = 'read_committed',
  'scan.startup.mode' = 'earliest-offset',
  'scan.bounded.mode' = 'latest-offset',
  'value.format' = 'avro-confluent',
  'value.avro-confluent.url' = 'http://127.0.0.1:8081',
  'value.avro-confluent.schema' = '{"type":"record","name":"Checkpoint","namespace":"dev.parley.avro","fields":[{"name":"namespace","type":{"type":"string"}},{"name":"context","type":{"type":"string"}},{"name":"id","type":{"type":"string"}},{"name":"parent","type":["null",{"type":"string"}],"default":null},{"name":"patch","type":["null",{"type":"string"}],"default":null},{"name":"patchHash","type":"bytes"},{"name":"sender","type":["null",{"type":"string"}],"default":null},{"name":"operations","type":{"type":"array","items":{"type":"record","name":"CspOperation","fields":[{"name":"operator","type":{"type":"enum","name":"CspOperator","symbols":["UNKNOWN","ADD","CHANGE","REMOVE"],"default":"UNKNOWN"}},{"name":"name","type":{"type":"string"}},{"name":"value","type":["null",{"type":"string"}],"default":null}]}},"default":[]},{"name":"source","type":["null",{"type":"record","name":"Source","fields":[{"name":"topic","type":{"type":"string"}},{"name":"partition","type":"int"},{"name":"offset","type":"long"},{"name":"timestamp","type":{"type":"long","logicalType":"timestamp-millis"}},{"name":"producerTime","type":["null",{"type":"long","logicalType":"timestamp-millis"}],"default":null}]}],"default":null},{"name":"ordinal","type":"long"},{"name":"depth","type":"long"},{"name":"hash","type":"bytes"},{"name":"stateBytes","type":"long"},{"name":"deltaBytes","type":"long"},{"name":"snapshot","type":["null",{"type":"map","values":{"type":"string"}}],"default":null},{"name":"setters","type":["null",{"type":"array","items":"long"}],"default":null},{"name":"releasedBy","type":["null","Source"],"default":null},{"name":"prunedAt","type":["null",{"type":"long","logicalType":"timestamp-millis"}],"default":null}]}'
);

CREATE TABLE `accounting` (
  `topic` STRING NOT NULL,
  `partition` INT NOT NULL,
  `inputs` BIGINT NOT NULL,
  `accepted` BIGINT NOT NULL,
  `rejected` BIGINT NOT NULL,
  `flagged` BIGINT NOT NULL,
  `undecodable` BIGINT NOT NULL,
  `parked` BIGINT NOT NULL,
  `nextOffset` BIGINT NOT NULL,
  `reread` BIGINT NOT NULL,
  `unread` BIGINT NOT NULL,
  `judgedOffset` BIGINT NOT NULL,
  `topicId` STRING,
  `log` INT NOT NULL,
  `inputsByLog` ARRAY<BIGINT NOT NULL> NOT NULL,
  `kafka_partition` INT METADATA FROM 'partition' VIRTUAL,
  `kafka_offset` BIGINT METADATA FROM 'offset' VIRTUAL,
  `event_time` TIMESTAMP_LTZ(3) METADATA FROM 'timestamp' VIRTUAL,
  WATERMARK FOR `event_time` AS `event_time` - INTERVAL '1' MINUTE
) WITH (
  'connector' = 'kafka',
  'topic' = 'parley.accounting.v1',
  'properties.bootstrap.servers' = '127.0.0.1:9092',
  'properties.isolation.level' = 'read_committed',
  'scan.startup.mode' = 'earliest-offset',
  'scan.bounded.mode' = 'latest-offset',
  'value.format' = 'avro-confluent',
  'value.avro-confluent.url' = 'http://127.0.0.1:8081'
);

CREATE TABLE `traffic` (
  `windowStart` TIMESTAMP(3) NOT NULL,
  `windowEnd` TIMESTAMP(3) NOT NULL,
  `namespace` STRING NOT NULL,
  `protocol` STRING NOT NULL,
  `performative` STRING NOT NULL,
  `sender` STRING,
  `verdict` STRING NOT NULL,
  `messages` BIGINT NOT NULL,
  `late` BOOLEAN NOT NULL,
  `other` BOOLEAN NOT NULL,
  `kafka_partition` INT METADATA FROM 'partition' VIRTUAL,
  `kafka_offset` BIGINT METADATA FROM 'offset' VIRTUAL,
  `event_time` TIMESTAMP_LTZ(3) METADATA FROM 'timestamp' VIRTUAL,
  WATERMARK FOR `windowStart` AS `windowStart` - INTERVAL '1' MINUTE
) WITH (
  'connector' = 'kafka',
  'topic' = 'parley.traffic-1m.v1',
  'properties.bootstrap.servers' = '127.0.0.1:9092',
  'properties.isolation.level' = 'read_committed',
  'scan.startup.mode' = 'earliest-offset',
  'scan.bounded.mode' = 'latest-offset',
  'value.format' = 'avro-confluent',
  'value.avro-confluent.url' = 'http://127.0.0.1:8081'
);

CREATE TABLE `violations` (
  `windowStart` TIMESTAMP(3) NOT NULL,
  `windowEnd` TIMESTAMP(3) NOT NULL,
  `namespace` STRING NOT NULL,
  `protocol` STRING NOT NULL,
  `sender` STRING,
  `kind` STRING NOT NULL,
  `code` STRING NOT NULL,
  `messages` BIGINT NOT NULL,
  `late` BOOLEAN NOT NULL,
  `other` BOOLEAN NOT NULL,
  `kafka_partition` INT METADATA FROM 'partition' VIRTUAL,
  `kafka_offset` BIGINT METADATA FROM 'offset' VIRTUAL,
  `event_time` TIMESTAMP_LTZ(3) METADATA FROM 'timestamp' VIRTUAL,
  WATERMARK FOR `windowStart` AS `windowStart` - INTERVAL '1' MINUTE
) WITH (
  'connector' = 'kafka',
  'topic' = 'parley.violation-1m.v1',
  'properties.bootstrap.servers' = '127.0.0.1:9092',
  'properties.isolation.level' = 'read_committed',
  'scan.startup.mode' = 'earliest-offset',
  'scan.bounded.mode' = 'latest-offset',
  'value.format' = 'avro-confluent',
  'value.avro-confluent.url' = 'http://127.0.0.1:8081'
);

CREATE TABLE `edges` (
  `windowStart` TIMESTAMP(3) NOT NULL,
  `windowEnd` TIMESTAMP(3) NOT NULL,
  `namespace` STRING NOT NULL,
  `protocol` STRING NOT NULL,
  `sender` STRING,
  `recipient` STRING,
  `messages` BIGINT NOT NULL,
  `accepted` BIGINT NOT NULL,
  `flagged` BIGINT NOT NULL,
  `rejected` BIGINT NOT NULL,
  `late` BOOLEAN NOT NULL,
  `other` BOOLEAN NOT NULL,
  `kafka_partition` INT METADATA FROM 'partition' VIRTUAL,
  `kafka_offset` BIGINT METADATA FROM 'offset' VIRTUAL,
  `event_time` TIMESTAMP_LTZ(3) METADATA FROM 'timestamp' VIRTUAL,
  WATERMARK FOR `windowStart` AS `windowStart` - INTERVAL '1' MINUTE
) WITH (
  'connector' = 'kafka',
  'topic' = 'parley.edge-1m.v1',
  'properties.bootstrap.servers' = '127.0.0.1:9092',
  'properties.isolation.level' = 'read_committed',
  'scan.startup.mode' = 'earliest-offset',
  'scan.bounded.mode' = 'latest-offset',
  'value.format' = 'avro-confluent',
  'value.avro-confluent.url' = 'http://127.0.0.1:8081'
);

CREATE TABLE `turnaround` (
  `windowStart` TIMESTAMP(3) NOT NULL,
  `windowEnd` TIMESTAMP(3) NOT NULL,
  `namespace` STRING NOT NULL,
  `protocol` STRING NOT NULL,
  `agent` STRING,
  `kind` STRING NOT NULL,
  `name` STRING,
  `outcome` STRING NOT NULL,
  `items` BIGINT NOT NULL,
  `totalMs` BIGINT NOT NULL,
  `maxMs` BIGINT NOT NULL,
  `requestBytes` BIGINT NOT NULL,
  `responseBytes` BIGINT NOT NULL,
  `within10ms` BIGINT NOT NULL,
  `within20ms` BIGINT NOT NULL,
  `within50ms` BIGINT NOT NULL,
  `within100ms` BIGINT NOT NULL,
  `within200ms` BIGINT NOT NULL,
  `within500ms` BIGINT NOT NULL,
  `within1s` BIGINT NOT NULL,
  `within2s` BIGINT NOT NULL,
  `within5s` BIGINT NOT NULL,
  `within10s` BIGINT NOT NULL,
  `within20s` BIGINT NOT NULL,
  `within30s` BIGINT NOT NULL,
  `within1m` BIGINT NOT NULL,
  `within2m` BIGINT NOT NULL,
  `within5m` BIGINT NOT NULL,
  `within10m` BIGINT NOT NULL,
  `within30m` BIGINT NOT NULL,
  `within1h` BIGINT NOT NULL,
  `within2h` BIGINT NOT NULL,
  `within6h` BIGINT NOT NULL,
  `within24h` BIGINT NOT NULL,
  `late` BOOLEAN NOT NULL,
  `other` BOOLEAN NOT NULL,
  `kafka_partition` INT METADATA FROM 'partition' VIRTUAL,
  `kafka_offset` BIGINT METADATA FROM 'offset' VIRTUAL,
  `event_time` TIMESTAMP_LTZ(3) METADATA FROM 'timestamp' VIRTUAL,
  WATERMARK FOR `windowStart` AS `windowStart` - INTERVAL '1' MINUTE
) WITH (
  'connector' = 'kafka',
  'topic' = 'parley.turnaround-1m.v1',
  'properties.bootstrap.servers' = '127.0.0.1:9092',
  'properties.isolation.level' = 'read_committed',
  'scan.startup.mode' = 'earliest-offset',
  'scan.bounded.mode' = 'latest-offset',
  'value.format' = 'avro-confluent',
  'value.avro-confluent.url' = 'http://127.0.0.1:8081'
);

CREATE TABLE `patches` (
  `windowStart` TIMESTAMP(3) NOT NULL,
  `windowEnd` TIMESTAMP(3) NOT NULL,
  `namespace` STRING NOT NULL,
  `context` STRING NOT NULL,
  `verdict` STRING NOT NULL,
  `code` STRING,
  `patches` BIGINT NOT NULL,
  `applied` BIGINT NOT NULL,
  `duplicates` BIGINT NOT NULL,
  `branches` BIGINT NOT NULL,
  `released` BIGINT NOT NULL,
  `expired` BIGINT NOT NULL,
  `totalParkedMs` BIGINT NOT NULL,
  `maxParkedMs` BIGINT NOT NULL,
  `late` BOOLEAN NOT NULL,
  `other` BOOLEAN NOT NULL,
  `kafka_partition` INT METADATA FROM 'partition' VIRTUAL,
  `kafka_offset` BIGINT METADATA FROM 'offset' VIRTUAL,
  `event_time` TIMESTAMP_LTZ(3) METADATA FROM 'timestamp' VIRTUAL,
  WATERMARK FOR `windowStart` AS `windowStart` - INTERVAL '1' MINUTE
) WITH (
  'connector' = 'kafka',
  'topic' = 'parley.patch-1m.v1',
  'properties.bootstrap.servers' = '127.0.0.1:9092',
  'properties.isolation.level' = 'read_committed',
  'scan.startup.mode' = 'earliest-offset',
  'scan.bounded.mode' = 'latest-offset',
  'value.format' = 'avro-confluent',
  'value.avro-confluent.url' = 'http://127.0.0.1:8081'
);

CREATE TABLE `definition_changes` (
  `windowStart` TIMESTAMP(3) NOT NULL,
  `windowEnd` TIMESTAMP(3) NOT NULL,
  `namespace` STRING NOT NULL,
  `context` STRING NOT NULL,
  `definition` STRING NOT NULL,
  `changes` BIGINT NOT NULL,
  `added` BIGINT NOT NULL,
  `replaced` BIGINT NOT NULL,
  `removed` BIGINT NOT NULL,
  `late` BOOLEAN NOT NULL,
  `other` BOOLEAN NOT NULL,
  `kafka_partition` INT METADATA FROM 'partition' VIRTUAL,
  `kafka_offset` BIGINT METADATA FROM 'offset' VIRTUAL,
  `event_time` TIMESTAMP_LTZ(3) METADATA FROM 'timestamp' VIRTUAL,
  WATERMARK FOR `windowStart` AS `windowStart` - INTERVAL '1' MINUTE
) WITH (
  'connector' = 'kafka',
  'topic' = 'parley.definition-change-1m.v1',
  'properties.bootstrap.servers' = '127.0.0.1:9092',
  'properties.isolation.level' = 'read_committed',
  'scan.startup.mode' = 'earliest-offset',
  'scan.bounded.mode' = 'latest-offset',
  'value.format' = 'avro-confluent',
  'value.avro-confluent.url' = 'http://127.0.0.1:8081'
);

CREATE TABLE `open_items` (
  `item_key` STRING NOT NULL,
  `namespace` STRING NOT NULL,
  `protocol` STRING NOT NULL,
  `conversation` STRING NOT NULL,
  `sequence` BIGINT NOT NULL,
  `kind` STRING NOT NULL,
  `item` STRING,
  `name` STRING,
  `agent` STRING,
  `requester` STRING,
  `since` TIMESTAMP(3) NOT NULL,
  PRIMARY KEY (`item_key`) NOT ENFORCED
) WITH (
  'connector' = 'upsert-kafka',
  'topic' = 'parley.open-item.v1',
  'properties.bootstrap.servers' = '127.0.0.1:9092',
  'properties.isolation.level' = 'read_committed',
  'scan.bounded.mode' = 'latest-offset',
  'key.format' = 'raw',
  'value.fields-include' = 'EXCEPT_KEY',
  'value.format' = 'avro-confluent',
  'value.avro-confluent.url' = 'http://127.0.0.1:8081'
);

CREATE TABLE `parked_items` (
  `item_key` STRING NOT NULL,
  `namespace` STRING NOT NULL,
  `context` STRING NOT NULL,
  `patch` STRING NOT NULL,
  `base` STRING NOT NULL,
  `target` STRING NOT NULL,
  `sender` STRING,
  `source` ROW<`topic` STRING NOT NULL, `partition` INT NOT NULL, `offset` BIGINT NOT NULL, `timestamp` TIMESTAMP(3) NOT NULL, `producerTime` TIMESTAMP(3)> NOT NULL,
  PRIMARY KEY (`item_key`) NOT ENFORCED
) WITH (
  'connector' = 'upsert-kafka',
  'topic' = 'parley.parked-item.v1',
  'properties.bootstrap.servers' = '127.0.0.1:9092',
  'properties.isolation.level' = 'read_committed',
  'scan.bounded.mode' = 'latest-offset',
  'key.format' = 'raw',
  'value.fields-include' = 'EXCEPT_KEY',
  'value.format' = 'avro-confluent',
  'value.avro-confluent.url' = 'http://127.0.0.1:8081'
);

CREATE TABLE `dead_letters` (
  `value` BYTES,
  `headers` MAP<STRING, BYTES> METADATA VIRTUAL,
  `topic` STRING METADATA VIRTUAL,
  `kafka_partition` INT METADATA FROM 'partition' VIRTUAL,
  `kafka_offset` BIGINT METADATA FROM 'offset' VIRTUAL,
  `event_time` TIMESTAMP_LTZ(3) METADATA FROM 'timestamp' VIRTUAL,
  WATERMARK FOR `event_time` AS `event_time` - INTERVAL '1' MINUTE
) WITH (
  'connector' = 'kafka',
  'topic' = 'parley.dlq.decode.v1;parley.dlq.judge.v1;parley.dlq.apply.v1;parley.dlq.internal.v1',
  'properties.bootstrap.servers' = '127.0.0.1:9092',
  'properties.isolation.level' = 'read_committed',
  'scan.startup.mode' = 'earliest-offset',
  'scan.bounded.mode' = 'latest-offset',
  'value.format' = 'raw'
);
