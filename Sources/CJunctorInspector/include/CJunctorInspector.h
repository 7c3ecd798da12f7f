#ifndef CJUNCTORINSPECTOR_H
#define CJUNCTORINSPECTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__clang__)
#pragma clang assume_nonnull begin
#endif

// A server of one page, two documents and one stream of events. It holds what it serves and calls nobody: whoever owns it
// asks at intervals what is wanted, hands over what is new, and lets those go on who wait. All functions may be called
// from any thread, but nothing after `junctor_server_stop`.

typedef struct junctor_server junctor_server;

enum { JUNCTOR_WIRING = 0, JUNCTOR_STATE = 1, JUNCTOR_DOCUMENTS = 2 };

/// What clients want, and what became of them.
typedef struct junctor_demand {
  /// Whether a document is asked for that is not fresh.
  bool wanted;
  /// How many streams are open.
  uint32_t streams;
  /// How many streams have been refused because there were too many.
  uint64_t refused;
  /// How many messages slow readers have missed.
  uint64_t missed;
} junctor_demand;

/// Starts a server. Returns null and sets `error` to the system's number if that can't be.
/// `page` and `policy` (the value of `Content-Security-Policy`) are copied.
junctor_server *_Nullable junctor_server_start(
  bool open, uint16_t port, const char *token, const char *page, size_t length, const char *policy,
  int *error);

/// The port that it listens on.
uint16_t junctor_server_port(junctor_server *server);

/// What clients want now.
junctor_demand junctor_server_demand(junctor_server *server);

/// Replaces a document; the bytes are copied.
void junctor_server_publish(junctor_server *server, int document, const uint8_t *_Nullable bytes, size_t length);

/// Lets the documents pass for fresh once more, those that there are.
void junctor_server_freshen(junctor_server *server);

/// Appends a message to the stream; the bytes are copied, and forgotten when there are too many.
void junctor_server_append(junctor_server *server, const uint8_t *_Nullable bytes, size_t length);

/// Lets those go on who wait.
void junctor_server_tick(junctor_server *server);

/// Closes every connection and frees everything.
void junctor_server_stop(junctor_server *server);

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif

#endif
