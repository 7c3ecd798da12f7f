#ifndef CJUNCTORNATS_H
#define CJUNCTORNATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__clang__)
#pragma clang assume_nonnull begin
#endif

// The part of the NATS client that bridges need, with call-backs that are given numbers rather than addresses: whoever is
// called looks the number up, and finds nothing once the owner has gone. All functions may be called from any thread.

typedef struct __natsConnection junctor_nats;
typedef struct __natsSubscription junctor_nats_route;

/// What happened to a connection.
enum {
  JUNCTOR_NATS_CONNECTED = 0,
  JUNCTOR_NATS_DISCONNECTED = 1,
  JUNCTOR_NATS_CLOSED = 2,
  JUNCTOR_NATS_FAULT = 3,
  JUNCTOR_NATS_ATTEMPT_FAILED = 4,
};

/// What a failure is; the client's own numbers differ between its versions.
enum {
  JUNCTOR_NATS_OK = 0,
  JUNCTOR_NATS_OTHER = 1,
  JUNCTOR_NATS_NO_SERVER = 2,
  JUNCTOR_NATS_UNAUTHORIZED = 3,
  JUNCTOR_NATS_INSECURE = 4,
  JUNCTOR_NATS_TOO_LARGE = 5,
  JUNCTOR_NATS_LOST = 6,
  JUNCTOR_NATS_SLOW = 7,
  JUNCTOR_NATS_TIMED_OUT = 8,
  JUNCTOR_NATS_NO_RESPONDERS = 9,
  JUNCTOR_NATS_GONE = 10,
  JUNCTOR_NATS_INVALID = 11,
};

/// What is asked of a connection. Strings are copied; empty ones count as not given.
typedef struct junctor_nats_options {
  const char *_Nullable urls;
  const char *_Nullable name;
  const char *_Nullable user;
  const char *_Nullable password;
  const char *_Nullable token;
  const char *_Nullable credentials;
  const char *_Nullable authority;
  const char *_Nullable certificate;
  const char *_Nullable key;
  const char *_Nullable hostname;
  bool secure;
  int64_t reconnect_wait;
  int64_t ping_interval;
  int64_t connect_timeout;
} junctor_nats_options;

/// What arrived, valid within the call.
typedef struct junctor_nats_message {
  const char *subject;
  const char *_Nullable reply;
  const char *_Nullable data;
  size_t length;
  const char *const _Nullable *_Nullable names;
  const char *const _Nullable *_Nullable values;
  int count;
  bool no_responders;
} junctor_nats_message;

/// Is told what happened. Returns how many milliseconds to wait before the next attempt, where one has failed.
typedef int64_t (*junctor_nats_event_handler)(
  uintptr_t owner, int event, int failure, const char *text);
typedef void (*junctor_nats_message_handler)(uintptr_t owner, const junctor_nats_message *message);
typedef void (*junctor_nats_end_handler)(uintptr_t owner);

/// Sets who is called, for all connections; before anything else, and with the same functions whenever it is repeated.
void junctor_nats_set_handlers(
  junctor_nats_event_handler event, junctor_nats_message_handler message,
  junctor_nats_end_handler end);

/// Connects. Returns null and sets `failure` and `text` (at most `size` bytes) if that fails. A connection that is lost
/// later is made again; events tell, on threads of the client's.
junctor_nats *_Nullable junctor_nats_connect(
  const junctor_nats_options *options, uintptr_t owner, int *failure, char *text, size_t size);

/// Whether it is connected now.
bool junctor_nats_is_connected(junctor_nats *connection);

/// The largest payload that the server accepts; 0 if unknown.
int64_t junctor_nats_largest(junctor_nats *connection);

/// How many times it was connected again; -1 if unknown. Has changed before anything is sent to, or heard from, the next
/// server.
int64_t junctor_nats_reconnections(junctor_nats *connection);

/// Sends a message. `headers` holds `count` pairs of a name and a value, each ended by a zero byte.
int junctor_nats_publish(
  junctor_nats *connection, const char *subject, const char *_Nullable reply,
  const uint8_t *_Nullable headers, int count, const uint8_t *_Nullable data, size_t length);

/// Waits until the server has had everything, for so many milliseconds at most. What was lost with an earlier connection it
/// has not had.
int junctor_nats_flush(junctor_nats *connection, int64_t timeout);

/// Sends a request and waits for the reply; `reply` is to be freed by `free`.
int junctor_nats_request(
  junctor_nats *connection, const char *subject, const char *text, int64_t timeout,
  char *_Nullable *_Nonnull reply, size_t *length);

/// Subscribes. Messages come one after another, on a thread of its own; the end handler is called once, after the last of them.
/// Returns null and sets `failure` if the connection is closed.
junctor_nats_route *_Nullable junctor_nats_subscribe(
  junctor_nats *connection, const char *subject, const char *_Nullable group, int limit,
  uintptr_t owner, int *failure);

/// Ends a subscription after what has arrived was delivered, or after so many milliseconds; the end handler is told when.
/// What has not been delivered then is thrown away. May take as long as the network does.
void junctor_nats_drain(junctor_nats_route *route, int64_t timeout);

/// How many messages were lost because they came faster than they were taken; 0 once it has ended.
uint64_t junctor_nats_dropped(junctor_nats_route *route);

/// How many messages have come for it: those delivered, those that wait, and those that were lost; 0 once it has ended.
uint64_t junctor_nats_arrived(junctor_nats_route *route);

/// Frees what `junctor_nats_subscribe` returned.
void junctor_nats_release(junctor_nats_route *route);

/// Closes a connection; the event CLOSED is the last one.
void junctor_nats_close(junctor_nats *connection);

/// Frees what `junctor_nats_connect` returned, after CLOSED.
void junctor_nats_destroy(junctor_nats *connection);

/// Receives `count` messages by the C client alone, and sets how many seconds passed between the first and the last.
/// Calls `ready` once the server knows. Returns how many came before none came for five seconds; -1 without a connection.
int64_t junctor_nats_measure_receive(
  const char *url, const char *subject, int64_t count, bool kept, void (*ready)(void),
  double *seconds);

/// Sends `count` messages of `size` bytes by the C client alone. Returns how many were sent.
int64_t junctor_nats_measure_send(
  const char *url, const char *subject, int64_t count, size_t size, bool kept);

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif

#endif
