#include "CJunctorNATS.h"

#if defined(JUNCTOR_NATS)

#include <nats/nats.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The client's call-backs are given a number as their closure and pass it on: nothing of theirs can be used after it was
// freed, however late they come.

static junctor_nats_event_handler event_handler;
static junctor_nats_message_handler message_handler;
static junctor_nats_end_handler end_handler;

void junctor_nats_set_handlers(
  junctor_nats_event_handler event, junctor_nats_message_handler message,
  junctor_nats_end_handler end
) {
  event_handler = event;
  message_handler = message;
  end_handler = end;
}

static bool contains(const char *text, const char *part) { return text && strstr(text, part) != NULL; }

// The client says little in its status; the text tells the rest.
static int classify(natsStatus status, const char *text) {
  switch (status) {
    case NATS_OK: return JUNCTOR_NATS_OK;
    case NATS_CONNECTION_AUTH_FAILED: return JUNCTOR_NATS_UNAUTHORIZED;
    case NATS_NOT_PERMITTED: return JUNCTOR_NATS_UNAUTHORIZED;
    case NATS_SSL_ERROR:
    case NATS_SECURE_CONNECTION_WANTED:
    case NATS_SECURE_CONNECTION_REQUIRED: return JUNCTOR_NATS_INSECURE;
    case NATS_NO_SERVER: return JUNCTOR_NATS_NO_SERVER;
    case NATS_MAX_PAYLOAD: return JUNCTOR_NATS_TOO_LARGE;
    case NATS_SLOW_CONSUMER: return JUNCTOR_NATS_SLOW;
    case NATS_TIMEOUT: return JUNCTOR_NATS_TIMED_OUT;
    case NATS_NO_RESPONDERS: return JUNCTOR_NATS_NO_RESPONDERS;
    case NATS_CONNECTION_CLOSED:
    case NATS_INVALID_SUBSCRIPTION:
    case NATS_DRAINING: return JUNCTOR_NATS_GONE;
    case NATS_INVALID_SUBJECT:
    case NATS_INVALID_ARG:
    case NATS_ADDRESS_MISSING:
    case NATS_INVALID_QUEUE_NAME: return JUNCTOR_NATS_INVALID;
    case NATS_IO_ERROR:
    case NATS_STALE_CONNECTION:
    case NATS_CONNECTION_DISCONNECTED:
    case NATS_INSUFFICIENT_BUFFER: return JUNCTOR_NATS_LOST;
    default: break;
  }
  if (contains(text, "uthorization") || contains(text, "ermissions")) { return JUNCTOR_NATS_UNAUTHORIZED; }
  if (contains(text, "SSL") || contains(text, "TLS") || contains(text, "certificate")) {
    return JUNCTOR_NATS_INSECURE;
  }
  return JUNCTOR_NATS_OTHER;
}

static int64_t tell(void *owner, int event, natsConnection *connection, natsStatus status) {
  const char *text = NULL;
  natsStatus last = natsConnection_GetLastError(connection, &text);
  if (status == NATS_OK) { status = last; }
  if (!text || !*text) { text = status == NATS_OK ? "" : natsStatus_GetText(status); }
  return event_handler((uintptr_t)owner, event, classify(status, text), text);
}

static void on_connected(natsConnection *connection, void *owner) {
  tell(owner, JUNCTOR_NATS_CONNECTED, connection, NATS_OK);
}

static void on_disconnected(natsConnection *connection, void *owner) {
  tell(owner, JUNCTOR_NATS_DISCONNECTED, connection, NATS_OK);
}

static void on_closed(natsConnection *connection, void *owner) {
  tell(owner, JUNCTOR_NATS_CLOSED, connection, NATS_OK);
}

static void on_error(
  natsConnection *connection, natsSubscription *subscription, natsStatus status, void *owner
) {
  (void)subscription;
  tell(owner, JUNCTOR_NATS_FAULT, connection, status);
}

static int64_t on_attempt_failed(natsConnection *connection, int attempts, void *owner) {
  (void)attempts;
  return tell(owner, JUNCTOR_NATS_ATTEMPT_FAILED, connection, NATS_OK);
}

static bool given(const char *text) { return text && *text; }

static natsStatus set_servers(natsOptions *options, const char *urls) {
  char *copy = strdup(urls ? urls : ""), *rest = copy, *word;
  const char *servers[16];
  int count = 0;
  if (!copy) { return NATS_NO_MEMORY; }
  while ((word = strtok_r(rest, ",", &rest)) != NULL && count < 16) { servers[count++] = word; }
  natsStatus status = count ? natsOptions_SetServers(options, servers, count) : NATS_ADDRESS_MISSING;
  free(copy);
  return status;
}

static natsStatus set(natsOptions *to, const junctor_nats_options *from, void *owner) {
  natsStatus s = set_servers(to, from->urls);
#define STEP(call) if (s == NATS_OK) { s = (call); }
  STEP(natsOptions_SetName(to, from->name));
  STEP(natsOptions_SetNoEcho(to, true));
  STEP(natsOptions_SetAllowReconnect(to, true));
  STEP(natsOptions_SetMaxReconnect(to, -1));
  STEP(natsOptions_SetReconnectWait(to, from->reconnect_wait));
  STEP(natsOptions_SetReconnectJitter(to, 0, 0));
  STEP(natsOptions_SetCustomReconnectDelay(to, on_attempt_failed, owner));
  STEP(natsOptions_SetTimeout(to, from->connect_timeout));
  STEP(natsOptions_SetPingInterval(to, from->ping_interval));
  STEP(natsOptions_SetMaxPingsOut(to, 2));
  STEP(natsOptions_SetWriteDeadline(to, 3 * from->ping_interval));
  STEP(natsOptions_SetDisconnectedCB(to, on_disconnected, owner));
  STEP(natsOptions_SetReconnectedCB(to, on_connected, owner));
  STEP(natsOptions_SetClosedCB(to, on_closed, owner));
  STEP(natsOptions_SetErrorHandler(to, on_error, owner));
  if (given(from->user)) { STEP(natsOptions_SetUserInfo(to, from->user, from->password)); }
  if (given(from->token)) { STEP(natsOptions_SetToken(to, from->token)); }
  if (given(from->credentials)) {
    STEP(natsOptions_SetUserCredentialsFromFiles(to, from->credentials, NULL));
  }
  if (from->secure) { STEP(natsOptions_SetSecure(to, true)); }
  if (given(from->authority)) { STEP(natsOptions_LoadCATrustedCertificates(to, from->authority)); }
  if (given(from->certificate)) {
    STEP(natsOptions_LoadCertificatesChain(to, from->certificate, from->key));
  }
  if (given(from->hostname)) { STEP(natsOptions_SetExpectedHostname(to, from->hostname)); }
#undef STEP
  return s;
}

junctor_nats *junctor_nats_connect(
  const junctor_nats_options *from, uintptr_t owner, int *failure, char *text, size_t size
) {
  natsConnection *connection = NULL;
  natsOptions *options = NULL;
  natsStatus status = natsOptions_Create(&options);
  if (status == NATS_OK) { status = set(options, from, (void *)owner); }
  if (status == NATS_OK) { status = natsConnection_Connect(&connection, options); }
  natsOptions_Destroy(options);
  if (status == NATS_OK) {
    *failure = JUNCTOR_NATS_OK;
    return connection;
  }
  const char *last = nats_GetLastError(NULL);
  if (!given(last)) { last = natsStatus_GetText(status); }
  *failure = classify(status, last);
  snprintf(text, size, "%s", last);
  return NULL;
}

bool junctor_nats_is_connected(junctor_nats *self) {
  return natsConnection_Status(self) == NATS_CONN_STATUS_CONNECTED;
}

int64_t junctor_nats_largest(junctor_nats *self) {
  return natsConnection_GetMaxPayload(self);
}

int64_t junctor_nats_reconnections(junctor_nats *self) {
  natsStatistics *counts = NULL;
  uint64_t reconnections = 0;
  natsStatus status = natsStatistics_Create(&counts);
  if (status == NATS_OK) { status = natsConnection_GetStats(self, counts); }
  if (status == NATS_OK) {
    status = natsStatistics_GetCounts(counts, NULL, NULL, NULL, NULL, &reconnections);
  }
  natsStatistics_Destroy(counts);
  return status == NATS_OK ? (int64_t)reconnections : -1;
}

int junctor_nats_publish(
  junctor_nats *self, const char *subject, const char *reply, const uint8_t *headers, int count,
  const uint8_t *data, size_t length
) {
  natsMsg *message = NULL;
  natsStatus status = natsMsg_Create(&message, subject, reply, (const char *)data, (int)length);
  const char *place = (const char *)headers;
  for (int i = 0; i < count && status == NATS_OK; i++) {
    const char *value = place + strlen(place) + 1;
    status = natsMsgHeader_Set(message, place, value);
    place = value + strlen(value) + 1;
  }
  if (status == NATS_OK) { status = natsConnection_PublishMsg(self, message); }
  natsMsg_Destroy(message);
  return classify(status, NULL);
}

int junctor_nats_flush(junctor_nats *self, int64_t timeout) {
  return classify(natsConnection_FlushTimeout(self, timeout), NULL);
}

int junctor_nats_request(
  junctor_nats *self, const char *subject, const char *text, int64_t timeout, char **reply,
  size_t *length
) {
  natsMsg *message = NULL;
  natsStatus status =
    natsConnection_RequestString(&message, self, subject, text, timeout);
  *reply = NULL;
  *length = 0;
  if (status == NATS_OK) {
    size_t size = (size_t)natsMsg_GetDataLength(message);
    *reply = malloc(size ? size : 1);
    if (*reply && size) { memcpy(*reply, natsMsg_GetData(message), size); }
    if (*reply) { *length = size; }
  }
  natsMsg_Destroy(message);
  return classify(status, NULL);
}

static void on_message(
  natsConnection *connection, natsSubscription *subscription, natsMsg *message, void *owner
) {
  (void)connection;
  (void)subscription;
  const char **names = NULL;
  const char *values[16];
  int count = 0, kept = 0;
  if (natsMsgHeader_Keys(message, &names, &count) == NATS_OK) {
    for (int i = 0; i < count && kept < 16; i++) {
      const char *value = NULL;
      if (natsMsgHeader_Get(message, names[i], &value) != NATS_OK || !value) { continue; }
      names[kept] = names[i];
      values[kept++] = value;
    }
  }
  junctor_nats_message received = {
    .subject = natsMsg_GetSubject(message),
    .reply = natsMsg_GetReply(message),
    .data = natsMsg_GetData(message),
    .length = (size_t)natsMsg_GetDataLength(message),
    .names = names,
    .values = values,
    .count = kept,
    .no_responders = natsMsg_IsNoResponders(message),
  };
  message_handler((uintptr_t)owner, &received);
  free((void *)names);
  natsMsg_Destroy(message);
}

static void on_complete(void *owner) { end_handler((uintptr_t)owner); }

junctor_nats_route *junctor_nats_subscribe(
  junctor_nats *self, const char *subject, const char *group, int limit, uintptr_t owner,
  int *failure
) {
  natsSubscription *route = NULL;
  void *number = (void *)owner;
  natsStatus status =
    given(group)
    ? natsConnection_QueueSubscribe(&route, self, subject, group, on_message, number)
    : natsConnection_Subscribe(&route, self, subject, on_message, number);
  if (status == NATS_OK) {
    status = natsSubscription_SetOnCompleteCB(route, on_complete, number);
  }
  if (status == NATS_OK) { natsSubscription_SetPendingLimits(route, limit, 64 * 1024 * 1024); }
  *failure = classify(status, NULL);
  if (status == NATS_OK) { return route; }
  natsSubscription_Destroy(route);
  return NULL;
}

void junctor_nats_drain(junctor_nats_route *route, int64_t timeout) {
  // A timeout of zero would be none.
  if (natsSubscription_DrainTimeout(route, timeout > 0 ? timeout : 1) != NATS_OK) {
    natsSubscription_Unsubscribe(route);
  }
}

uint64_t junctor_nats_dropped(junctor_nats_route *route) {
  int64_t count = 0;
  if (natsSubscription_GetDropped(route, &count) != NATS_OK || count < 0) { return 0; }
  return (uint64_t)count;
}

uint64_t junctor_nats_arrived(junctor_nats_route *route) {
  int waiting = 0;
  int64_t delivered = 0, dropped = 0;
  // All three under one lock of the client's: no message is counted twice or missed on its way from one to another.
  natsStatus status =
    natsSubscription_GetStats(route, &waiting, NULL, NULL, NULL, &delivered, &dropped);
  if (status != NATS_OK || waiting < 0 || delivered < 0 || dropped < 0) { return 0; }
  return (uint64_t)waiting + (uint64_t)delivered + (uint64_t)dropped;
}

void junctor_nats_release(junctor_nats_route *route) {
  natsSubscription_Destroy(route);
}

void junctor_nats_close(junctor_nats *self) { natsConnection_Close(self); }

void junctor_nats_destroy(junctor_nats *self) {
  natsConnection_Destroy(self);
}

#endif
