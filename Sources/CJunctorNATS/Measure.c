#include "CJunctorNATS.h"

#if defined(JUNCTOR_NATS)

#include <nats/nats.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// What the C client does by itself, for bridges to be measured against.

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

typedef struct tally {
  pthread_mutex_t lock;
  int64_t count;
  int64_t wanted;
  double first;
  double last;
  bool done;
} tally;

static void on_message(
  natsConnection *connection, natsSubscription *subscription, natsMsg *message, void *closure
) {
  (void)connection;
  (void)subscription;
  tally *tally = closure;
  pthread_mutex_lock(&tally->lock);
  if (tally->count++ == 0) { tally->first = now(); }
  if (tally->count >= tally->wanted) { tally->done = true; }
  tally->last = tally->done ? now() : tally->last;
  pthread_mutex_unlock(&tally->lock);
  natsMsg_Destroy(message);
}

static bool is_done(tally *tally, int64_t *count, double *seconds) {
  pthread_mutex_lock(&tally->lock);
  bool done = tally->done;
  *count = tally->count;
  *seconds = (done ? tally->last : now()) - tally->first;
  pthread_mutex_unlock(&tally->lock);
  return done;
}

static natsStatus keep(jsCtx *js, const char *subject) {
  const char *subjects[] = {subject};
  jsStreamConfig stream;
  jsErrCode code = 0;
  jsStreamConfig_Init(&stream);
  stream.Name = "junctor-measure";
  stream.Subjects = subjects;
  stream.SubjectsLen = 1;
  stream.Retention = js_InterestPolicy;
  stream.Discard = js_DiscardNew;
  natsStatus status = js_AddStream(NULL, js, &stream, NULL, &code);
  return code == JSStreamNameExistErr ? NATS_OK : status;
}

int64_t junctor_nats_measure_receive(
  const char *url, const char *subject, int64_t count, bool kept, void (*ready)(void),
  double *seconds
) {
  natsConnection *connection = NULL;
  natsSubscription *subscription = NULL;
  jsCtx *js = NULL;
  tally tally = {.wanted = count};
  int64_t received = -1;
  pthread_mutex_init(&tally.lock, NULL);
  natsStatus status = natsConnection_ConnectTo(&connection, url);
  if (kept) {
    if (status == NATS_OK) { status = natsConnection_JetStream(&js, connection, NULL); }
    if (status == NATS_OK) { status = keep(js, subject); }
    jsSubOptions options;
    jsSubOptions_Init(&options);
    options.Config.Durable = "measure";
    options.Config.MaxAckPending = 1024;
    if (status == NATS_OK) {
      status = js_Subscribe(&subscription, js, subject, on_message, &tally, NULL, &options, NULL);
    }
  } else if (status == NATS_OK) {
    status = natsConnection_Subscribe(&subscription, connection, subject, on_message, &tally);
  }
  if (status == NATS_OK) { natsSubscription_SetPendingLimits(subscription, -1, -1); }
  if (status == NATS_OK) { status = natsConnection_FlushTimeout(connection, 5000); }
  if (status == NATS_OK) {
    ready();
    int64_t last = -1;
    int quiet = 0;
    while (!is_done(&tally, &received, seconds) && quiet < 500) {
      struct timespec pause = {.tv_nsec = 10 * 1000 * 1000};
      nanosleep(&pause, NULL);
      quiet = received == last ? quiet + 1 : 0;
      last = received;
    }
  }
  natsSubscription_Destroy(subscription);
  jsCtx_Destroy(js);
  natsConnection_Destroy(connection);
  return received;
}

int64_t junctor_nats_measure_send(
  const char *url, const char *subject, int64_t count, size_t size, bool kept
) {
  natsConnection *connection = NULL;
  jsCtx *js = NULL;
  int64_t sent = 0;
  char *payload = malloc(size ? size : 1);
  natsStatus status = payload ? natsConnection_ConnectTo(&connection, url) : NATS_NO_MEMORY;
  if (payload) { memset(payload, 'x', size); }
  if (kept && status == NATS_OK) {
    jsOptions options;
    jsOptions_Init(&options);
    options.PublishAsync.MaxPending = 1024;
    options.PublishAsync.StallWait = 10000;
    status = natsConnection_JetStream(&js, connection, &options);
  }
  while (sent < count && status == NATS_OK) {
    status = kept ? js_PublishAsync(js, subject, payload, (int)size, NULL)
                  : natsConnection_Publish(connection, subject, payload, (int)size);
    if (status == NATS_OK) { sent++; }
  }
  if (kept && status == NATS_OK) { js_PublishAsyncComplete(js, NULL); }
  natsConnection_FlushTimeout(connection, 30000);
  jsCtx_Destroy(js);
  natsConnection_Destroy(connection);
  free(payload);
  return sent;
}

#endif
